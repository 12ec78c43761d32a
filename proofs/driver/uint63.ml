(* Coq's primitive integers of 63 bits, which are OCaml's own on a machine of 64. Like Coq's kernel,
   the proof's axioms say what these are to do; here is what does it, and that has to be believed. All
   are read as unsigned. *)

let () = if Sys.int_size <> 63 then failwith "magicert-proved wants a machine of 64 bits"

type t = int

external of_int : int -> t = "%identity"

let[@inline] add (a : t) (b : t) : t = a + b
let[@inline] sub (a : t) (b : t) : t = a - b
let[@inline] mul (a : t) (b : t) : t = a * b
let[@inline] l_and (a : t) (b : t) : t = a land b
let[@inline] l_or (a : t) (b : t) : t = a lor b

(* OCaml leaves shifts by 63 or more unsaid; in Coq nothing is left. *)
let[@inline] l_sl (a : t) (n : t) : t = if n >= 0 && n < 63 then a lsl n else 0
let[@inline] l_sr (a : t) (n : t) : t = if n >= 0 && n < 63 then a lsr n else 0
let[@inline] equal (a : t) (b : t) = a = b

(* The lowest int of all turns the signed order into the unsigned one. *)
let[@inline] lt (a : t) (b : t) = a lxor min_int < b lxor min_int
let[@inline] le (a : t) (b : t) = a lxor min_int <= b lxor min_int
