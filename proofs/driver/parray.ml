(* Coq's primitive arrays: a value that keeps what it was, and whose newest version is an OCaml array.
   What the proof's axioms say of these functions has to be believed, as with uint63.ml. *)

type 'a state = Newest of 'a array * 'a | Older of int * 'a * 'a t
and 'a t = 'a state ref

(* No array is longer, in Coq either. Beyond its end an array holds its default. *)
let longest = 4194303

let make n default =
  ref (Newest (Array.make (if n < 0 || n > longest then longest else n) default, default))

let rec older_get t i =
  match !t with
  | Newest (items, default) -> if i >= 0 && i < Array.length items then items.(i) else default
  | Older (place, item, newer) -> if i = place then item else older_get newer i

let[@inline] get t i =
  match !t with
  | Newest (items, _) when i >= 0 && i < Array.length items -> Array.unsafe_get items i
  | _ -> older_get t i

let rec length t =
  match !t with Newest (items, _) -> Array.length items | Older (_, _, newer) -> length newer

let rec newest t =
  match !t with
  | Newest (items, default) -> (items, default)
  | Older (place, item, newer) ->
      let items, default = newest newer in
      let items = Array.copy items in
      items.(place) <- item;
      (items, default)

let set t i item =
  let items, default = newest t in
  if i < 0 || i >= Array.length items then t
  else begin
    let next = ref (Newest (items, default)) in
    (match !t with
     | Newest _ -> t := Older (i, items.(i), next)
     | Older _ -> ());
    items.(i) <- item;
    next
  end
