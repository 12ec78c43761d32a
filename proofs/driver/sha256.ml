(* SHA-256 (FIPS 180-4). OCaml's library has MD5 only. Words are ints of 64 bits, cut to 32. *)

let constants =
  [| 0x428a2f98; 0x71374491; 0xb5c0fbcf; 0xe9b5dba5; 0x3956c25b; 0x59f111f1; 0x923f82a4; 0xab1c5ed5;
     0xd807aa98; 0x12835b01; 0x243185be; 0x550c7dc3; 0x72be5d74; 0x80deb1fe; 0x9bdc06a7; 0xc19bf174;
     0xe49b69c1; 0xefbe4786; 0x0fc19dc6; 0x240ca1cc; 0x2de92c6f; 0x4a7484aa; 0x5cb0a9dc; 0x76f988da;
     0x983e5152; 0xa831c66d; 0xb00327c8; 0xbf597fc7; 0xc6e00bf3; 0xd5a79147; 0x06ca6351; 0x14292967;
     0x27b70a85; 0x2e1b2138; 0x4d2c6dfc; 0x53380d13; 0x650a7354; 0x766a0abb; 0x81c2c92e; 0x92722c85;
     0xa2bfe8a1; 0xa81a664b; 0xc24b8b70; 0xc76c51a3; 0xd192e819; 0xd6990624; 0xf40e3585; 0x106aa070;
     0x19a4c116; 0x1e376c08; 0x2748774c; 0x34b0bcb5; 0x391c0cb3; 0x4ed8aa4a; 0x5b9cca4f; 0x682e6ff3;
     0x748f82ee; 0x78a5636f; 0x84c87814; 0x8cc70208; 0x90befffa; 0xa4506ceb; 0xbef9a3f7; 0xc67178f2 |]

let cut a = a land 0xffffffff
let turned a n = cut ((a lsr n) lor (a lsl (32 - n)))

let add_block sum text place =
  let w = Array.make 64 0 in
  for t = 0 to 15 do
    w.(t) <- cut (Int32.to_int (String.get_int32_be text (place + (4 * t))))
  done;
  for t = 16 to 63 do
    let a = w.(t - 15) and b = w.(t - 2) in
    let a = turned a 7 lxor turned a 18 lxor (a lsr 3)
    and b = turned b 17 lxor turned b 19 lxor (b lsr 10) in
    w.(t) <- cut (w.(t - 16) + a + w.(t - 7) + b)
  done;
  let v = Array.copy sum in
  for t = 0 to 63 do
    let a = v.(0) and e = v.(4) in
    let high = turned e 6 lxor turned e 11 lxor turned e 25
    and choice = (e land v.(5)) lxor (lnot e land v.(6)) in
    let one = v.(7) + high + choice + constants.(t) + w.(t) in
    let low = turned a 2 lxor turned a 13 lxor turned a 22
    and most = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
    Array.blit v 0 v 1 7;
    v.(4) <- cut (v.(4) + one);
    v.(0) <- cut (one + low + most)
  done;
  Array.iteri (fun n a -> sum.(n) <- cut (sum.(n) + a)) v

(* The digest of the texts together, in small hexadecimal digits. *)
let digest texts =
  let sum =
    [| 0x6a09e667; 0xbb67ae85; 0x3c6ef372; 0xa54ff53a; 0x510e527f; 0x9b05688c; 0x1f83d9ab; 0x5be0cd19 |]
  in
  let length = List.fold_left (fun n text -> n + String.length text) 0 texts in
  let padding = Bytes.make ((119 - (length mod 64)) mod 64 + 9) '\000' in
  Bytes.set padding 0 '\x80';
  Bytes.set_int64_be padding (Bytes.length padding - 8) (Int64.of_int (8 * length));
  let rest = ref "" in
  let add text =
    let text = if !rest = "" then text else !rest ^ text in
    let blocks = String.length text / 64 in
    for n = 0 to blocks - 1 do
      add_block sum text (64 * n)
    done;
    rest := String.sub text (64 * blocks) (String.length text - (64 * blocks))
  in
  List.iter add texts;
  add (Bytes.to_string padding);
  String.concat "" (List.map (Printf.sprintf "%08x") (Array.to_list sum))
