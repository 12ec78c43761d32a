(* Coq's binary numbers from ints and texts, and back. *)

open Kernel

(* One more bit behind those so far. *)
let then_bit z bit =
  match (z, bit) with
  | Z0, false -> Z0
  | Z0, true -> Zpos XH
  | Zpos p, false -> Zpos (XO p)
  | Zpos p, true -> Zpos (XI p)
  | Zneg _, _ -> assert false

(* The lowest bits of an int, highest first, behind those so far. *)
let rec then_bits z value bits =
  if bits = 0 then z
  else then_bits (then_bit z ((value lsr (bits - 1)) land 1 = 1)) value (bits - 1)

let of_int value = then_bits Z0 value 62

let rec to_bits p = match p with XH -> [ 1 ] | XO p -> 0 :: to_bits p | XI p -> 1 :: to_bits p

(* The int of a number, modulo 2^63. *)
let to_int z =
  let rec go p =
    match p with XH -> 1 | XO p -> 2 * go p | XI p -> (2 * go p) + 1
  in
  match z with Z0 -> 0 | Zpos p -> go p | Zneg p -> -go p

(* A word as the kernel's two ints. *)
let upper_of z = match z with Zpos (XO p) | Zpos (XI p) -> to_int (Zpos p) | _ -> 0
let lowest_of z = match z with Zpos (XI _) | Zpos XH -> 1 | _ -> 0

exception Not_a_number

(* 0x.., small letters only, as certificates have them. *)
let of_hex text =
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | _ -> raise Not_a_number
  in
  let length = String.length text in
  if length < 3 || String.sub text 0 2 <> "0x" then raise Not_a_number;
  let z = ref Z0 in
  String.iteri (fun n c -> if n > 1 then z := then_bits !z (digit c) 4) text;
  !z

let to_hex z =
  let rec digits bits =
    match bits with
    | a :: b :: c :: d :: rest -> digits rest ^ String.make 1 "0123456789abcdef".[a + 2 * b + 4 * c + 8 * d]
    | [] -> ""
    | few -> digits (few @ [ 0 ])
  in
  match z with Z0 -> "0x0" | Zpos p -> "0x" ^ digits (to_bits p) | Zneg p -> "-0x" ^ digits (to_bits p)

let to_decimal z =
  (* Digits, lowest first: twice as many and a bit more, for each bit. *)
  let rec doubled digits carry =
    match digits with
    | [] -> if carry = 0 then [] else [ carry ]
    | d :: rest -> (((2 * d) + carry) mod 10) :: doubled rest (((2 * d) + carry) / 10)
  in
  let bits = match z with Z0 -> [] | Zpos p | Zneg p -> List.rev (to_bits p) in
  match List.fold_left doubled [] bits with
  | [] -> "0"
  | digits -> String.concat "" (List.rev_map string_of_int digits)

(* 1234567 as 1,234,567 *)
let rec with_commas n =
  if n < 1000 then string_of_int n else Printf.sprintf "%s,%03d" (with_commas (n / 1000)) (n mod 1000)
