(* magicert-proved: cover certificates, checked by what Coq has extracted.

   Everything that decides is Kernel.check: which leaf is true, what they cover, what is a magic. This
   program reads the file, hands the leaves over, and prints. *)

open Kernel

type outcome =
  | Valid of { header : Header.t; leaves : int; magics : (z * z) list }
  | Unknown of Header.t  (** no leaves in the file *)
  | Invalid of string
  | Bad_input of string

let refusal broken shard leaf =
  Printf.sprintf "shard %d, leaf %d: %s" (Numbers.to_int shard) (Numbers.to_int leaf)
    (Rules.text broken)

let first_line = "magicert cover 1"

(* A line that ends: OCaml's own reader takes the end of the file for one. *)
let read_line channel =
  let line = Buffer.create 4096 in
  let rec go () =
    match input_char channel with
    | '\n' -> Buffer.contents line
    | c -> Buffer.add_char line c; go ()
    | exception End_of_file -> raise (Header.Bad "the header's line does not end")
  in
  go ()

(* What the kernel is given. The streams follow one another, and it asks for them in their order; so
   each is read when its first leaf is asked for, and the one before it is forgotten. *)
let shards_of channel (header : Header.t) =
  let at_hand = ref (-1, [||]) in
  List.mapi
    (fun n (s : Header.shard) : shard ->
      let entries number =
        if fst !at_hand <> n then at_hand := (n, Stream.read channel ~leaves:s.leaves ~sha256:s.sha256);
        Stream.entry (snd !at_hand) number
      in
      { root = s.root; count = Numbers.of_int s.leaves; entries; listed = s.listed;
        listed_count = s.listed_count })
    header.shards

let at_end channel = match input_char channel with _ -> false | exception End_of_file -> true

let check_channel channel =
  let length = String.length first_line + 1 in
  (match really_input_string channel length with
  | line when line = first_line ^ "\n" -> ()
  | _ | (exception End_of_file) ->
      raise (Header.Bad (Printf.sprintf "no certificate: expected %S as the first line" first_line)));
  let header = Header.of_line (read_line channel) in
  let shards = shards_of channel header in
  if not header.streams then
    match check_header (problem_of header.cell) shards with
    | Refused (broken, shard, leaf) -> Invalid (refusal broken shard leaf)
    | Accepted _ when at_end channel -> Unknown header
    | Accepted _ -> Invalid "bytes follow a header without streams"
  else
    match check header.cell shards with
    | Refused (broken, shard, leaf) -> Invalid (refusal broken shard leaf)
    | Accepted _ when not (at_end channel) -> Invalid "bytes follow the last shard's stream"
    | Accepted magics ->
        let leaves = List.fold_left (fun n (s : Header.shard) -> n + s.leaves) 0 header.shards in
        Valid { header; leaves; magics }

(* Whether a file is one whole .xz stream, nothing behind it, and not too large: xz says so. *)
let check_container path =
  let channel = Unix.open_process_args_in "xz" [| "xz"; "--robot"; "--list"; "--"; path |] in
  let rec lines found =
    match input_line channel with line -> lines (line :: found) | exception End_of_file -> found
  in
  let listing = lines [] in
  let status = Unix.close_process_in channel in
  let fields = List.find_opt (fun line -> String.length line > 5 && String.sub line 0 5 = "file\t") listing in
  match (status, Option.map (String.split_on_char '\t') fields) with
  | Unix.WEXITED 0, Some [ _; streams; _; _; size; _; _; padding ] ->
      if streams <> "1" || padding <> "0" then raise (Header.Bad "bytes follow the .xz stream");
      if int_of_string size > 1 lsl 30 then raise (Header.Bad "unpacked, more than 2^30 bytes")
  | _ -> raise (Header.Bad "xz cannot read it")

let is_packed path =
  let channel = open_in_bin path in
  let head = try really_input_string channel 6 with End_of_file -> "" in
  close_in channel;
  head = "\xfd7zXZ\x00"

let check_file path =
  try
    if is_packed path then begin
      check_container path;
      let channel = Unix.open_process_args_in "xz" [| "xz"; "-dc"; "--"; path |] in
      set_binary_mode_in channel true;
      let outcome = check_channel channel in
      match (outcome, Unix.close_process_in channel) with
      | (Valid _ | Unknown _), status when status <> Unix.WEXITED 0 -> Bad_input "xz cannot read it"
      | outcome, _ -> outcome
    end
    else begin
      let channel = open_in_bin path in
      Fun.protect ~finally:(fun () -> close_in channel) (fun () -> check_channel channel)
    end
  with
  | Header.Bad what -> Bad_input what
  | Sys_error what -> Bad_input what
  | Unix.Unix_error (error, _, _) -> Bad_input (Unix.error_message error)
  | Stream.Broken what -> Invalid what
  | Stack_overflow -> Bad_input "too large for the stack: ulimit -s unlimited"

(* "2 magics" of intervals *)
let magics_text magics =
  let length (low, high) = Z.add (Z.sub high low) (Zpos XH) in
  match List.fold_left (fun n i -> Z.add n (length i)) Z0 magics with
  | Z0 -> "no magic exists"
  | count -> Printf.sprintf "its magics are the %s listed" (Numbers.to_hex count)

let status_of = function Valid _ -> 0 | Invalid _ -> 1 | Bad_input _ -> 2 | Unknown _ -> 3

let show path = function
  | Valid { header; leaves; magics } ->
      Printf.printf "valid    %s: %s: %s; %s leaves\n%!" path header.text (magics_text magics)
        (Numbers.with_commas leaves)
  | Unknown header -> Printf.printf "unknown  %s: %s: no leaves in the file\n%!" path header.text
  | Invalid what -> Printf.printf "invalid  %s: %s\n%!" path what
  | Bad_input what -> Printf.printf "bad      %s: %s\n%!" path what

(* What the kernel has made of a certificate's cell, for tests: a line for each occupancy in order. *)
let show_rows path =
  let channel = open_in_bin path in
  ignore (read_line channel);
  let p = problem_of (Header.of_line (read_line channel)).cell in
  let line words = print_endline (String.concat " " (List.map Numbers.to_hex words)) in
  line [ p.bits; p.added; p.least; p.most; period p ];
  let rec go n =
    match p.row_number (Numbers.of_int n) with
    | Some r -> line [ r.x; r.attack ]; go (n + 1)
    | None -> assert (n = List.length p.rows)
  in
  go 0

let usage () =
  prerr_endline
    "usage: magicert-proved [--leaves-only] FILE...\n\
    \       magicert-proved --problem FILE...\n\
    \       magicert-proved --rows FILE\n\n\
     Checks cover certificates (plain or .xz). Exit status: 0 valid, 1 invalid, 2 bad input,\n\
     3 no leaves in the file; of several files the first of 1, 2, 3 that occurs.\n\
     --leaves-only  leave out, after counting them, files that carry no leaves\n\
     --problem      the files are problems of their own: see problem.ml\n\
     --rows         print the rows of the cell that a plain file is about";
  exit 2

let worst outcomes =
  let found = List.map status_of outcomes in
  match List.find_opt (fun status -> List.mem status found) [ 1; 2; 3 ] with
  | Some status -> status
  | None -> 0

let check_files ~leaves_only paths =
  let start = Unix.gettimeofday () and core = Sys.time () in
  let outcomes =
    List.map
      (fun path ->
        let outcome = check_file path in
        (match outcome with Unknown _ when leaves_only -> () | _ -> show path outcome);
        outcome)
      paths
  in
  let seconds = Unix.gettimeofday () -. start and core = Sys.time () -. core in
  let unknown, others = List.partition (function Unknown _ -> true | _ -> false) outcomes in
  let leaves = List.fold_left (fun n -> function Valid v -> n + v.leaves | _ -> n) 0 outcomes in
  let accepted = List.length (List.filter (function Valid _ -> true | _ -> false) outcomes) in
  let rate seconds = Numbers.with_commas (int_of_float (float leaves /. Float.max seconds 1e-3)) in
  Printf.printf
    "%d accepted, %s leaves, %s a second (%s a second of the core's time); %d files without leaves\n"
    accepted (Numbers.with_commas leaves) (rate seconds) (rate core) (List.length unknown);
  worst (if leaves_only then others else outcomes)

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 18 };
  match List.tl (Array.to_list Sys.argv) with
  | "--problem" :: (_ :: _ as paths) -> List.iter (fun path -> print_endline (Problem.check_file path)) paths
  | [ "--rows"; path ] -> show_rows path
  | "--leaves-only" :: (_ :: _ as paths) -> exit (check_files ~leaves_only:true paths)
  | (first :: _) as paths when first <> "" && first.[0] <> '-' -> exit (check_files ~leaves_only:false paths)
  | _ -> usage ()
