(* The header of a certificate: docs/cover-certificates.md, "The file". What is read here says which
   cell a certificate is about; nothing else in the driver can make a false claim pass. *)

open Kernel

exception Bad of string

let bad key what = raise (Bad (Printf.sprintf "%s: %s" key what))

type shard = {
  root : interval;
  leaves : int;
  sha256 : string;
  listed : (z * z) list;
  listed_count : z;
}

(* The cell, in the kernel's words and in the reader's. *)
type about = { cell : cell; text : string }
type t = { about : about; streams : bool; shards : shard list }

let object_of key value =
  match value with Json.Object members -> members | _ -> bad key "expected an object"

let members_of key ~required ~optional value =
  let members = object_of key value in
  List.iter
    (fun (name, _) -> if not (List.mem name (required @ optional)) then bad name "no such key")
    members;
  List.iter (fun name -> if not (List.mem_assoc name members) then bad name "is missing") required;
  fun name -> List.assoc_opt name members |> Option.value ~default:Json.Null

let int_of key value = match value with Json.Int n -> n | _ -> bad key "expected an integer"
let text_of key value = match value with Json.Text t -> t | _ -> bad key "expected a text"
let list_of key value = match value with Json.List l -> l | _ -> bad key "expected a list"
let bool_of key value = match value with Json.Bool b -> b | _ -> bad key "expected true or false"

let number_of key value =
  match value with Json.Int _ | Json.Float _ -> () | _ -> bad key "expected a number"

let two_to n = Z.pow (Numbers.of_int 2) (Numbers.of_int n)

(* A number such as 0x1f, below a power of two. *)
let word_of ?(bits = 64) key value =
  match Numbers.of_hex (text_of key value) with
  | exception Numbers.Not_a_number -> bad key "expected a word such as 0x1f"
  | word when Z.ltb word (two_to bits) -> word
  | _ -> bad key "expected a word such as 0x1f"

let is_digest text =
  String.length text = 64
  && String.for_all (function '0' .. '9' | 'a' .. 'f' -> true | _ -> false) text

let root_of value =
  match list_of "root" value with
  | [ w; low; high ] ->
      let width = int_of "root" w in
      if width < 0 || width > 64 then bad "root" "expected w of 0 to 64";
      let low = word_of "root" low and high = word_of "root" high in
      if not (Z.leb low high && Z.ltb high (two_to width)) then bad "root" "expected low <= high < 2^w";
      { w = Numbers.of_int width; low; high }
  | _ -> bad "root" "expected [w, low, high]"

let pair_of value =
  match list_of "magics" value with
  | [ low; high ] -> (word_of "magics" low, word_of "magics" high)
  | _ -> bad "magics" "expected [low, high]"

let check_survivors value =
  if value <> Json.Null then begin
    let get = members_of "survivors" ~required:[ "count"; "sha256" ] ~optional:[] value in
    if int_of "survivors" (get "count") < 0 || not (is_digest (text_of "survivors" (get "sha256")))
    then bad "survivors" "expected a count and the SHA-256 of their starts"
  end

let shard_of value =
  let required = [ "root"; "leaves"; "sha256"; "counts"; "magics"; "magic_count" ] in
  let get = members_of "shards" ~required ~optional:[ "survivors" ] value in
  let leaves = int_of "leaves" (get "leaves") and sha256 = text_of "sha256" (get "sha256") in
  if leaves < 0 then bad "leaves" "expected at least 0";
  if sha256 <> "" && not (is_digest sha256) then
    bad "sha256" "expected 64 hexadecimal digits, or nothing";
  if List.length (List.map (int_of "counts") (list_of "counts" (get "counts"))) <> 5 then
    bad "counts" "expected five";
  check_survivors (get "survivors");
  { root = root_of (get "root"); leaves; sha256;
    listed = List.map pair_of (list_of "magics" (get "magics"));
    listed_count = word_of ~bits:65 "magic_count" (get "magic_count") }

let square_of name =
  if String.length name <> 2 || name.[0] < 'a' || name.[0] > 'h' || name.[1] < '1' || name.[1] > '8'
  then bad "square" (Printf.sprintf "%S: expected a1 to h8" name);
  (8 * (Char.code name.[1] - 49)) + Char.code name.[0] - 97

let cell_keys = [ "scheme"; "piece"; "square"; "bits"; "largest_index"; "constant" ]

let keys = cell_keys @ [ "plan"; "level"; "engine"; "date"; "seconds"; "streams"; "shards" ]

let cell_of get =
  let text key = text_of key (get key) and int key = int_of key (get key) in
  let constant = word_of "constant" (get "constant") in
  let scheme =
    match text "scheme" with
    | "white" when constant = Z0 -> White
    | "black" when constant = Z0 || constant = word_ones -> Black
    | "constant" -> Constant constant
    | "white" | "black" -> bad "constant" "expected 0x0 for this scheme"
    | other -> bad "scheme" (Printf.sprintf "%S: expected white, constant or black" other)
  in
  let piece =
    match text "piece" with
    | "rook" -> Rook
    | "bishop" -> Bishop
    | other -> bad "piece" (Printf.sprintf "%S: expected rook or bishop" other)
  in
  let bits = int "bits" and largest = int "largest_index" in
  if bits < 1 || bits > 32 then bad "bits" "expected 1 to 32";
  if largest < 0 || largest >= 1 lsl bits then bad "largest_index" "expected below 2^bits";
  { cell =
      { its_scheme = scheme; its_piece = piece; its_square = Numbers.of_int (square_of (text "square"));
        its_bits = Numbers.of_int bits; largest_index = Numbers.of_int largest };
    text =
      Printf.sprintf "%s%s %s %s, %d bits%s" (text "scheme")
        (if text "scheme" = "constant" then " " ^ text "constant" else "")
        (text "piece") (text "square") bits
        (if largest = (1 lsl bits) - 1 then "" else Printf.sprintf ", indexes up to %d" largest) }

let read line = try Json.read line with Json.Bad what -> bad "header" what

(* The header of a certificate. *)
let of_line line =
  let get = members_of "header" ~required:keys ~optional:[] (read line) in
  let text key = text_of key (get key) in
  List.iter (fun key -> ignore (text key)) [ "plan"; "engine"; "date" ];
  ignore (int_of "level" (get "level"));
  number_of "seconds" (get "seconds");
  let about = cell_of get in
  let shards = List.map shard_of (list_of "shards" (get "shards")) in
  if shards = [] then bad "shards" "expected at least one";
  { about; streams = bool_of "streams" (get "streams"); shards }

(* The lines of a pipe: what it is about, where a shard begins, and what is declared behind it. *)
let cell_of_line line = cell_of (members_of "header" ~required:cell_keys ~optional:[] (read line))

type next = Shard of int * interval | End

let next_of_line line =
  match read line with
  | Json.Object [ ("end", Json.Bool true) ] -> End
  | value ->
      let get = members_of "shard" ~required:[ "shard"; "root" ] ~optional:[] value in
      let number = int_of "shard" (get "shard") in
      if number < 0 then bad "shard" "expected at least 0";
      Shard (number, root_of (get "root"))

let declared_of_line ~root line =
  let required = [ "leaves"; "magics"; "magic_count" ] in
  let get = members_of "shard" ~required ~optional:[] (read line) in
  { root; leaves = int_of "leaves" (get "leaves"); sha256 = "";
    listed = List.map pair_of (list_of "magics" (get "magics"));
    listed_count = word_of ~bits:65 "magic_count" (get "magic_count") }

(* A shard that was settled, as a line, and back. *)
type settled = { of_cell : about; number : int; its_root : interval; its_leaves : int; magics : (z * z) list }

let line_of_cell (c : cell) =
  let constant = match c.its_scheme with Constant a -> a | White | Black -> Z0 in
  let square = Numbers.to_int c.its_square in
  Printf.sprintf
    {|"scheme":"%s","piece":"%s","square":"%c%d","bits":%d,"largest_index":%d,"constant":"%s"|}
    (match c.its_scheme with White -> "white" | Black -> "black" | Constant _ -> "constant")
    (match c.its_piece with Rook -> "rook" | Bishop -> "bishop")
    (Char.chr (97 + (square mod 8))) (1 + (square / 8)) (Numbers.to_int c.its_bits)
    (Numbers.to_int c.largest_index) (Numbers.to_hex constant)

let line_of_settled s =
  let pair (low, high) = Printf.sprintf {|["%s","%s"]|} (Numbers.to_hex low) (Numbers.to_hex high) in
  Printf.sprintf {|{%s,"shard":%d,"root":[%d,"%s","%s"],"leaves":%d,"magics":[%s]}|}
    (line_of_cell s.of_cell.cell) s.number (Numbers.to_int s.its_root.w)
    (Numbers.to_hex s.its_root.low) (Numbers.to_hex s.its_root.high) s.its_leaves
    (String.concat "," (List.map pair s.magics))

let settled_of_line line =
  let required = cell_keys @ [ "shard"; "root"; "leaves"; "magics" ] in
  let get = members_of "shard" ~required ~optional:[] (read line) in
  { of_cell = cell_of get; number = int_of "shard" (get "shard"); its_root = root_of (get "root");
    its_leaves = int_of "leaves" (get "leaves");
    magics = List.map pair_of (list_of "magics" (get "magics")) }
