(* The leaves of one shard: blocks of columns, one in memory at a time, and the next leaf of them. *)

exception Broken of string

let broken format = Printf.ksprintf (fun text -> raise (Broken text)) format
let full = 65536
let widest = 8 + (full * (1 + 8 + 8 + 2 + 2))

external get16 : Bytes.t -> int -> int = "%caml_bytes_get16"
external get32 : Bytes.t -> int -> int32 = "%caml_bytes_get32"
external get64 : Bytes.t -> int -> int64 = "%caml_bytes_get64"

(* What ends a stream: so many leaves with this digest, or a block of none (then no digest is taken). *)
type ending = Declared of int * string | Marked

type t = {
  channel : in_channel;
  ending : ending;
  text : Bytes.t;  (* the block at hand *)
  sha : Sha256.t;
  mutable first : int;  (* the number of its first leaf *)
  mutable count : int;
  mutable w : int;  (* 255: a column of them *)
  mutable gap : int;  (* the width of the column, in bytes; 0: there is none *)
  mutable span : int;
  mutable number : int;
  mutable at_gap : int;  (* where the columns begin *)
  mutable at_span : int;
  mutable at_first : int;
  mutable at_second : int;
}

let at_w = 8
let buffer = Bytes.create widest

let start channel ending =
  { channel; ending; text = buffer; sha = Sha256.start (); first = 0; count = 0; w = 0; gap = 0;
    span = 1; number = 1; at_gap = 0; at_span = 0; at_first = 0; at_second = 0 }

let leaves s = s.first + s.count

let read_exactly s place length =
  try really_input s.channel s.text place length with End_of_file -> broken "a block is cut short"

(* Whether some value of a column has anything but 0 in its bytes from one on. *)
let some_byte s place width from =
  let rec leaf n = n < s.count && (byte n from || leaf (n + 1))
  and byte n k =
    k < width && (Bytes.get s.text (place + (n * width) + k) <> '\000' || byte n (k + 1))
  in
  leaf 0

(* Equal leaves have equal bytes only if every column is as narrow as it can be. *)
let check_least s =
  let rec one_w n = n = s.count || (Bytes.get s.text (at_w + n) = Bytes.get s.text at_w && one_w (n + 1)) in
  if (s.w = 255 && one_w 0)
     || (s.gap = 8 && not (some_byte s s.at_gap 8 0))
     || (s.span > 1 && not (some_byte s s.at_span s.span (s.span / 2)))
     || s.number = 2 && not (some_byte s s.at_first 2 1 || some_byte s s.at_second 2 1)
  then broken "a block's columns are wider than needed"

(* Read the next block; false if it is the mark behind the last. *)
let read_block s =
  let first = leaves s and before = s.count in
  read_exactly s 0 8;
  let byte n = Char.code (Bytes.get s.text n) in
  let count = Int32.to_int (get32 s.text 0) land 0xffffffff in
  if count = 0 && s.ending = Marked && get64 s.text 0 = 0L then false
  else begin
    if first > 0 && before < full then broken "the block before is not full";
    let w = byte 4 and gap = byte 5 and span = byte 6 and number = byte 7 in
    if count < 1 || count > full then broken "a block of %d leaves: expected 1 to %d" count full;
    if (w > 64 && w <> 255) || not (List.mem gap [ 0; 8 ]) || not (List.mem span [ 1; 2; 4; 8 ])
       || not (List.mem number [ 1; 2 ])
    then broken "a block's widths are %d %d %d %d" w gap span number;
    s.first <- first; s.count <- count; s.w <- w; s.gap <- gap; s.span <- span; s.number <- number;
    s.at_gap <- (at_w + if w = 255 then count else 0);
    s.at_span <- s.at_gap + (gap * count);
    s.at_first <- s.at_span + (span * count);
    s.at_second <- s.at_first + (number * count);
    let length = s.at_second + (number * count) in
    read_exactly s 8 (length - 8);
    check_least s;
    if s.ending <> Marked then Sha256.add s.sha s.text length;
    true
  end

(* Whether another block follows. *)
let more s =
  match s.ending with
  | Marked -> read_block s
  | Declared (declared, sha256) ->
      if leaves s < declared then read_block s
      else begin
        if leaves s > declared then broken "%d leaves are there, %d are declared" (leaves s) declared;
        let sha = Sha256.digest s.sha in
        if sha <> sha256 then broken "sha256: %s is the stream's, %S is declared" sha sha256;
        false
      end

let[@inline] upper_of v = Int64.to_int (Int64.shift_right_logical v 1)
let[@inline] lowest_of v = Int64.to_int v land 1

(* The leaf of this number, where leaves are asked for in their order. *)
let rec entry s leaf : Kernel.entry option =
  let n = leaf - s.first in
  if n >= s.count then if more s then entry s leaf else None
  else begin
    let text = s.text in
    let[@inline] number place =
      if s.number = 1 then Char.code (Bytes.get text (place + n)) else get16 text (place + (2 * n))
    in
    let entry_w = if s.w = 255 then Char.code (Bytes.get text (at_w + n)) else s.w in
    let entry_first = number s.at_first and entry_second = number s.at_second in
    let gap_upper, gap_lowest =
      if s.gap = 0 then (0, 0)
      else
        let v = get64 text (s.at_gap + (8 * n)) in
        (upper_of v, lowest_of v)
    in
    if s.span = 8 then
      let v = get64 text (s.at_span + (8 * n)) in
      Some { entry_w; gap_upper; gap_lowest; span_upper = upper_of v; span_lowest = lowest_of v;
             entry_first; entry_second }
    else
      let v =
        match s.span with
        | 1 -> Char.code (Bytes.get text (s.at_span + n))
        | 2 -> get16 text (s.at_span + (2 * n))
        | _ -> Int32.to_int (get32 text (s.at_span + (4 * n))) land 0xffffffff
      in
      Some { entry_w; gap_upper; gap_lowest; span_upper = v lsr 1; span_lowest = v land 1;
             entry_first; entry_second }
  end

(* Read what is left of a stream that nobody has asked for. *)
let rec skip s = if more s then skip s
