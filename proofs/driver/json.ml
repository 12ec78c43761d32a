(* One line of JSON, read strictly: a key that is there twice is an error. *)

type t =
  | Null
  | Bool of bool
  | Int of int
  | Float of float
  | Text of string
  | List of t list
  | Object of (string * t) list

exception Bad of string

let deepest = 50

let read text =
  let place = ref 0 in
  let bad what = raise (Bad (Printf.sprintf "column %d: %s" (!place + 1) what)) in
  let peek () = if !place < String.length text then text.[!place] else '\000' in
  let skip () = incr place in
  let rec space () = match peek () with ' ' | '\t' | '\r' | '\n' -> skip (); space () | _ -> () in
  let expect c = if peek () = c then skip () else bad (Printf.sprintf "expected %C" c) in
  let word name value = String.iter expect name; value in
  let string () =
    expect '"';
    let found = Buffer.create 16 in
    let rec go () =
      match peek () with
      | '"' -> skip ()
      | '\\' ->
          skip ();
          let c = peek () in
          skip ();
          (match c with
          | '"' | '\\' | '/' -> Buffer.add_char found c
          | 'b' -> Buffer.add_char found '\b'
          | 'f' -> Buffer.add_char found '\012'
          | 'n' -> Buffer.add_char found '\n'
          | 'r' -> Buffer.add_char found '\r'
          | 't' -> Buffer.add_char found '\t'
          | 'u' ->
              if !place + 4 > String.length text then bad "expected four digits";
              let digits = String.sub text !place 4 in
              let is_digit = function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false in
              (match if String.for_all is_digit digits then int_of_string_opt ("0x" ^ digits) else None with
              | Some code -> Buffer.add_utf_8_uchar found (Uchar.of_int (if code land 0xf800 = 0xd800 then 0xfffd else code))
              | None -> bad "expected four digits");
              place := !place + 4
          | _ -> bad "no such escape");
          go ()
      | c when c < ' ' -> bad "expected the end of a text"
      | c -> skip (); Buffer.add_char found c; go ()
    in
    go ();
    Buffer.contents found
  in
  (* A sign or none, digits without needless zeros, a fraction or none, an exponent or none. *)
  let number () =
    let start = !place in
    let digits () =
      let first = !place in
      let rec go () = match peek () with '0' .. '9' -> skip (); go () | _ -> () in
      go ();
      !place - first
    in
    let some () = if digits () = 0 then bad "expected a digit" in
    if peek () = '-' then skip ();
    let zero = peek () = '0' in
    (match digits () with
    | 0 -> bad "expected a value"
    | n -> if zero && n > 1 then bad "a number begins with 0");
    let whole = !place in
    if peek () = '.' then (skip (); some ());
    (match peek () with
    | 'e' | 'E' ->
        skip ();
        (match peek () with '+' | '-' -> skip () | _ -> ());
        some ()
    | _ -> ());
    let text = String.sub text start (!place - start) in
    if !place > whole then Float (float_of_string text)
    else match int_of_string_opt text with Some n -> Int n | None -> bad "too large a number"
  in
  let rec value depth =
    if depth > deepest then bad "too deep";
    space ();
    let found =
      match peek () with
      | '"' -> Text (string ())
      | '{' -> skip (); Object (members (depth + 1) [])
      | '[' -> skip (); List (items (depth + 1) [])
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | _ -> number ()
    in
    space ();
    found
  and items depth found =
    space ();
    if peek () = ']' && found = [] then (skip (); [])
    else
      let found = value depth :: found in
      match peek () with
      | ',' -> skip (); items_more depth found
      | _ -> expect ']'; List.rev found
  and items_more depth found =
    let found = value depth :: found in
    match peek () with
    | ',' -> skip (); items_more depth found
    | _ -> expect ']'; List.rev found
  and members depth found =
    space ();
    if peek () = '}' && found = [] then (skip (); [])
    else begin
      space ();
      let key = string () in
      if List.mem_assoc key found then bad (Printf.sprintf "%s: the key is there twice" key);
      space ();
      expect ':';
      let found = (key, value depth) :: found in
      match peek () with
      | ',' -> skip (); space (); if peek () <> '"' then bad "expected a key"; members depth found
      | _ -> expect '}'; List.rev found
    end
  in
  let found = value 0 in
  if !place < String.length text then bad "expected the end of the line";
  found
