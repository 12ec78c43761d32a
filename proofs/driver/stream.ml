(* The leaves of one shard: blocks of columns, read whole, and a leaf of them by its number. *)

exception Broken of string

let broken format = Printf.ksprintf (fun text -> raise (Broken text)) format
let full = 65536

type block = {
  text : string;
  count : int;
  w : int; (* 255: a column of them *)
  gap : int; (* the width of the column, in bytes; 0: there is none *)
  span : int;
  number : int;
}

let read_exactly channel length =
  match really_input_string channel length with
  | text -> text
  | exception End_of_file -> broken "a block is cut short"

let read_block channel =
  let head = read_exactly channel 8 in
  let count = Int32.to_int (String.get_int32_le head 0) land 0xffffffff in
  let byte n = Char.code head.[n] in
  let w = byte 4 and gap = byte 5 and span = byte 6 and number = byte 7 in
  if count < 1 || count > full then broken "a block of %d leaves: expected 1 to %d" count full;
  if (w > 64 && w <> 255) || not (List.mem gap [ 0; 8 ]) || not (List.mem span [ 1; 2; 4; 8 ])
     || not (List.mem number [ 1; 2 ])
  then broken "a block's widths are %d %d %d %d" w gap span number;
  let length = count * ((if w = 255 then 1 else 0) + gap + span + (2 * number)) in
  { text = head ^ read_exactly channel length; count; w; gap; span; number }

(* Where a column begins. *)
let at_w _ = 8
let at_gap b = at_w b + if b.w = 255 then b.count else 0
let at_span b = at_gap b + (b.gap * b.count)
let at_first b = at_span b + (b.span * b.count)
let at_second b = at_first b + (b.number * b.count)

(* Whether some value of a column has anything but 0 in its bytes from one on. *)
let some_byte b place width from =
  let rec leaf n = n < b.count && (byte n from || leaf (n + 1))
  and byte n k = k < width && (b.text.[place + (n * width) + k] <> '\000' || byte n (k + 1)) in
  leaf 0

(* Equal leaves have equal bytes only if every column is as narrow as it can be. *)
let check_least b =
  let one_w = String.for_all (fun c -> c = b.text.[8]) (String.sub b.text 8 b.count) in
  if (b.w = 255 && one_w)
     || (b.gap = 8 && not (some_byte b (at_gap b) 8 0))
     || (b.span > 1 && not (some_byte b (at_span b) b.span (b.span / 2)))
     || b.number = 2
        && not (some_byte b (at_first b) 2 1 || some_byte b (at_second b) 2 1)
  then broken "a block's columns are wider than needed"

(* All blocks of a shard with so many leaves and this digest. *)
let read channel ~leaves ~sha256 =
  let rec go so_far blocks =
    if so_far >= leaves then (so_far, List.rev blocks)
    else begin
      (match blocks with b :: _ when b.count < full -> broken "the block before is not full" | _ -> ());
      let b = read_block channel in
      check_least b;
      go (so_far + b.count) (b :: blocks)
    end
  in
  let there, blocks = go 0 [] in
  if there <> leaves then broken "%d leaves are there, %d are declared" there leaves;
  let sha = Sha256.digest (List.map (fun b -> b.text) blocks) in
  if sha <> sha256 then broken "sha256: %s is the stream's, %S is declared" sha sha256;
  Array.of_list blocks

(* An entry, in Coq's numbers, by its own. *)
let entry blocks leaf_number : Kernel.entry =
  let leaf = Numbers.to_int leaf_number in
  let b = blocks.(leaf / full) and n = leaf mod full in
  let small place width =
    Numbers.of_small
      (Char.code b.text.[place + (n * width)]
      lor if width = 2 then Char.code b.text.[place + (n * 2) + 1] lsl 8 else 0)
  in
  { entry_w = (if b.w = 255 then small (at_w b) 1 else Numbers.of_small b.w);
    gap = (if b.gap = 0 then Kernel.Z0 else Numbers.of_bytes b.text (at_gap b + (8 * n)) 8);
    span = Numbers.of_bytes b.text (at_span b + (b.span * n)) b.span;
    entry_first = small (at_first b) b.number;
    entry_second = small (at_second b) b.number }
