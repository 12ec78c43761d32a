(* SHA-256 (FIPS 180-4). OCaml's library has MD5 only. Words are ints, cut to 32 bits. *)

let constants =
  [| 0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
     0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
     0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
     0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
     0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
     0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
     0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
     0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

external get : 'a array -> int -> 'a = "%array_unsafe_get"
external set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
external get32 : Bytes.t -> int -> int32 = "%caml_bytes_get32"
external swap32 : int32 -> int32 = "%bswap_int32"

let[@inline] cut a = a land 0xffffffff

(* A word twice in a row: shifted right, its low bits are those of the word turned. *)
let[@inline] twice a = a lor (a lsl 32)

let w = Array.make 64 0

let add_block sum text place =
  for t = 0 to 15 do
    set w t (cut (Int32.to_int (swap32 (get32 text (place + (4 * t))))))
  done;
  for t = 16 to 63 do
    let a = get w (t - 15) and b = get w (t - 2) in
    let aa = twice a and bb = twice b in
    let a = (aa lsr 7) lxor (aa lsr 18) lxor (a lsr 3)
    and b = (bb lsr 17) lxor (bb lsr 19) lxor (b lsr 10) in
    set w t (cut (get w (t - 16) + cut a + get w (t - 7) + cut b))
  done;
  let rec rounds t a b c d e f g h =
    if t = 64 then begin
      set sum 0 (cut (get sum 0 + a)); set sum 1 (cut (get sum 1 + b));
      set sum 2 (cut (get sum 2 + c)); set sum 3 (cut (get sum 3 + d));
      set sum 4 (cut (get sum 4 + e)); set sum 5 (cut (get sum 5 + f));
      set sum 6 (cut (get sum 6 + g)); set sum 7 (cut (get sum 7 + h))
    end
    else begin
      let ee = twice e and aa = twice a in
      let one =
        h + cut ((ee lsr 6) lxor (ee lsr 11) lxor (ee lsr 25)) + (g lxor (e land (f lxor g)))
        + get constants t + get w t
      in
      let two =
        cut ((aa lsr 2) lxor (aa lsr 13) lxor (aa lsr 22)) + ((a land b) lor (c land (a lor b)))
      in
      rounds (t + 1) (cut (one + two)) a b c (cut (d + one)) e f g
    end
  in
  rounds 0 (get sum 0) (get sum 1) (get sum 2) (get sum 3) (get sum 4) (get sum 5) (get sum 6)
    (get sum 7)

type t = { sum : int array; rest : Bytes.t; mutable length : int }

let start () =
  if Sys.big_endian then failwith "magicert-proved wants a machine with the lowest byte first";
  { sum =
      [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |];
    rest = Bytes.create 64; length = 0 }

let add sha text length =
  let held = sha.length land 63 in
  let first = if held = 0 then 0 else min length (64 - held) in
  Bytes.blit text 0 sha.rest held first;
  sha.length <- sha.length + length;
  if held > 0 && held + first = 64 then add_block sha.sum sha.rest 0;
  let blocks = (length - first) / 64 in
  for n = 0 to blocks - 1 do
    add_block sha.sum text (first + (64 * n))
  done;
  let done_ = first + (64 * blocks) in
  if done_ < length then Bytes.blit text done_ sha.rest 0 (length - done_)

(* The digest of all that was added, in small hexadecimal digits. *)
let digest sha =
  let length = sha.length in
  let padding = Bytes.make ((119 - (length land 63)) mod 64 + 9) '\000' in
  Bytes.set padding 0 '\x80';
  Bytes.set_int64_be padding (Bytes.length padding - 8) (Int64.of_int (8 * length));
  add sha padding (Bytes.length padding);
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list sha.sum))
