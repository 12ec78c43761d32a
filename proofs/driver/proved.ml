(* magicert-proved: cover certificates, checked by what Coq has extracted.

   Everything that decides is the kernel's: which leaf is true, what leaves and shards cover, what is a
   magic. This program reads, hands the leaves over, and prints. *)

open Kernel

type claim = { about : Header.about; leaves : int; magics : (z * z) list }

type outcome =
  | Valid of claim
  | Unknown of Header.about * string  (** what is settled is not everything *)
  | Invalid of string
  | Bad_input of string

let refusal broken shard leaf = Printf.sprintf "shard %d, leaf %d: %s" shard leaf (Rules.text broken)

(* A line that ends: OCaml's own reader takes the end of the file for one. *)
let read_line channel =
  let line = Buffer.create 4096 in
  let rec go () =
    match input_char channel with
    | '\n' -> Buffer.contents line
    | c -> Buffer.add_char line c; go ()
    | exception End_of_file -> raise (Header.Bad "a line does not end")
  in
  go ()

let at_end channel = match input_char channel with _ -> false | exception End_of_file -> true

(* ** Certificates: a header with all shards, and their streams *)

(* What the kernel is given. The streams follow one another, and it asks for them in their order; so
   each is begun when its first leaf is asked for, and a block at a time is in memory. *)
let shards_of channel (header : Header.t) =
  let at_hand = ref (-1, Stream.start channel Stream.Marked) in
  List.mapi
    (fun n (s : Header.shard) : shard ->
      let entries number =
        if fst !at_hand <> n then
          at_hand := (n, Stream.start channel (Stream.Declared (s.leaves, s.sha256)));
        Stream.entry (snd !at_hand) number
      in
      { root = s.root; entries; listed = s.listed; listed_count = s.listed_count })
    header.shards

(* All shards, or the headers alone where there are no streams. *)
let check_whole channel (header : Header.t) =
  let { Header.about; streams; _ } = header in
  let shards = shards_of channel header in
  if not streams then
    match check_header (problem_of about.cell) shards with
    | Refused (broken, shard, leaf) -> Invalid (refusal broken (Numbers.to_int shard) leaf)
    | Accepted _ when at_end channel -> Unknown (about, "no leaves in the file")
    | Accepted _ -> Invalid "bytes follow a header without streams"
  else
    match check about.cell shards with
    | Refused (broken, shard, leaf) -> Invalid (refusal broken (Numbers.to_int shard) leaf)
    | Accepted _ when not (at_end channel) -> Invalid "bytes follow the last shard's stream"
    | Accepted magics ->
        let leaves = List.fold_left (fun n (s : Header.shard) -> n + s.leaves) 0 header.shards in
        Valid { about; leaves; magics }

(* ** Shards, one by one *)

exception Refuses of string

(* The share of all m that lies in the roots, a number to look at. *)
let share settled =
  let float z = float_of_string (Numbers.to_decimal z) in
  let of_root r = (float (Z.sub r.high r.low) +. 1.) /. Float.pow 2. (float r.w) in
  List.fold_left (fun sum (s : Header.settled) -> sum +. of_root s.its_root) 0. settled

(* What settled shards come to together: a proof, if their roots are everything. *)
let together (about : Header.about) settled =
  let settled = List.sort (fun (a : Header.settled) b -> compare a.number b.number) settled in
  let leaves = List.fold_left (fun n (s : Header.settled) -> n + s.its_leaves) 0 settled in
  match join (List.map (fun (s : Header.settled) -> (s.its_root, s.magics)) settled) with
  | Accepted magics -> Valid { about; leaves; magics }
  | Refused _ ->
      let said =
        Printf.sprintf "%d shards are settled, with %s leaves: %.6g of all m" (List.length settled)
          (Numbers.with_commas leaves) (share settled)
      in
      Unknown (about, said)

let ready (about : Header.about) =
  if not (is_a_question about.cell) then raise (Refuses (Rules.text Not_a_question));
  let problem = problem_of about.cell in
  (problem, quick_of (depth_of about.cell) problem)

(* One shard, whose declaration is known before its leaves or only behind them. *)
let settle_shard (about, (problem, quick), keep) number root stream declared =
  match settle problem quick root (Stream.entry stream) with
  | Inl (broken, leaf) -> raise (Refuses (refusal broken number leaf))
  | Inr (leaves, magics) ->
      let d : Header.shard = declared () in
      let shard = { root; entries = (fun _ -> None); listed = d.listed; listed_count = d.listed_count } in
      if not (as_listed shard magics) then
        raise (Refuses (refusal Magics_are_not_those_listed number leaves));
      if d.leaves <> leaves then
        Stream.broken "%d leaves are there, %d are declared" leaves d.leaves;
      let settled = { Header.of_cell = about; number; its_root = root; its_leaves = leaves; magics } in
      keep settled;
      settled

(* One shard of a certificate. The other streams are read, for their lengths are in them. *)
let check_one keep wanted channel (header : Header.t) =
  if not header.streams then Unknown (header.about, "no leaves in the file")
  else begin
    if wanted >= List.length header.shards then
      raise (Header.Bad (Printf.sprintf "--shard %d: it has %d" wanted (List.length header.shards)));
    let about = header.about in
    let ready = ready about in
    let settled =
      List.mapi
        (fun n (s : Header.shard) ->
          let stream = Stream.start channel (Stream.Declared (s.leaves, s.sha256)) in
          if n <> wanted then (Stream.skip stream; [])
          else [ settle_shard (about, ready, keep) n s.root stream (fun () -> s) ])
        header.shards
    in
    if not (at_end channel) then Stream.broken "bytes follow the last shard's stream";
    together about (List.concat settled)
  end

(* A pipe: docs/cover-certificates.md, "The pipe". *)
let check_pipe keep channel =
  let about = Header.cell_of_line (read_line channel) in
  let ready = ready about in
  let rec go settled =
    match Header.next_of_line (read_line channel) with
    | Header.End when at_end channel -> together about settled
    | Header.End -> raise (Header.Bad "bytes follow the end")
    | Header.Shard (number, root) ->
        if List.exists (fun (s : Header.settled) -> s.number = number) settled then
          raise (Header.Bad (Printf.sprintf "shard %d comes twice" number));
        let stream = Stream.start channel Stream.Marked in
        let declared () = Header.declared_of_line ~root (read_line channel) in
        go (settle_shard (about, ready, keep) number root stream declared :: settled)
  in
  go []

(* ** Files *)

let certificate = "magicert cover 1"
let pipe = "magicert leaves 2"

let check_channel ~shard ~keep channel =
  let first = try input_line channel with End_of_file -> "" in
  if first = pipe && shard = None then check_pipe keep channel
  else if first = certificate then begin
    let header = Header.of_line (read_line channel) in
    match shard with
    | None -> check_whole channel header
    | Some number -> check_one keep number channel header
  end
  else
    raise (Header.Bad (Printf.sprintf "no certificate: expected %S as the first line" certificate))

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

let guarded check =
  try check () with
  | Header.Bad what | Sys_error what -> Bad_input what
  | Unix.Unix_error (error, _, _) -> Bad_input (Unix.error_message error)
  | Stream.Broken what | Refuses what -> Invalid what
  | Stack_overflow -> Bad_input "too large for the stack: ulimit -s unlimited"

let check_file ~shard ~keep path =
  guarded (fun () ->
      let check = check_channel ~shard ~keep in
      if path = "-" then (set_binary_mode_in stdin true; check stdin)
      else if is_packed path then begin
        check_container path;
        let channel = Unix.open_process_args_in "xz" [| "xz"; "-dc"; "--"; path |] in
        set_binary_mode_in channel true;
        let outcome = guarded (fun () -> check channel) in
        match (outcome, Unix.close_process_in channel) with
        | (Valid _ | Unknown _), status when status <> Unix.WEXITED 0 -> Bad_input "xz cannot read it"
        | outcome, _ -> outcome
      end
      else begin
        let channel = open_in_bin path in
        Fun.protect ~finally:(fun () -> close_in channel) (fun () -> check channel)
      end)

(* Files of settled shards, as --settled has written them, of one cell. *)
let join_files paths =
  guarded (fun () ->
      let lines path =
        let channel = open_in_bin path in
        let rec go found = if at_end channel then found else (seek_in channel (pos_in channel - 1); go (read_line channel :: found)) in
        Fun.protect ~finally:(fun () -> close_in channel) (fun () -> List.rev (go []))
      in
      match List.map Header.settled_of_line (List.concat_map lines paths) with
      | [] -> raise (Header.Bad "no shard is in the files")
      | one :: _ as settled ->
          List.iter
            (fun (s : Header.settled) ->
              if s.of_cell <> one.of_cell then
                raise (Header.Bad (Printf.sprintf "%s, and %s" one.of_cell.text s.of_cell.text)))
            settled;
          (* A shard that was settled twice counts once. *)
          together one.of_cell (List.sort_uniq compare settled))

(* ** Printing *)

let both z = Printf.sprintf "%s (%s)" (Numbers.to_decimal z) (Numbers.to_hex z)

let magics_text magics =
  match how_many magics with
  | Z0 -> "no magic exists"
  | count -> Printf.sprintf "its magics are the %s listed, and no others" (both count)

let show_magics magics =
  List.iter
    (fun (low, high) ->
      if low = high then Printf.printf "  %s\n" (both low)
      else Printf.printf "  %s to %s\n" (both low) (both high))
    magics

let status_of = function Valid _ -> 0 | Invalid _ -> 1 | Bad_input _ -> 2 | Unknown _ -> 3

let show ~magics path outcome =
  (match outcome with
  | Valid v ->
      Printf.printf "valid    %s: %s: %s; %s leaves\n" path v.about.text (magics_text v.magics)
        (Numbers.with_commas v.leaves);
      if magics then show_magics v.magics
  | Unknown (about, what) -> Printf.printf "unknown  %s: %s: %s\n" path about.text what
  | Invalid what -> Printf.printf "invalid  %s: %s\n" path what
  | Bad_input what -> Printf.printf "bad      %s: %s\n" path what);
  flush stdout

(* What the kernel has made of a certificate's cell, for tests: a line for each occupancy in order. *)
let show_rows path =
  let channel = open_in_bin path in
  let line words = print_endline (String.concat " " (List.map Numbers.to_hex words)) in
  while not (at_end channel) do
    seek_in channel (pos_in channel - 1);
    let p = problem_of (Header.cell_of_line (read_line channel)).cell in
    line [ p.bits; p.added; p.least; p.most; period p ];
    let rec go n =
      match p.row_number (Numbers.of_int n) with
      | Some r -> line [ r.x; r.attack ]; go (n + 1)
      | None -> assert (n = List.length p.rows)
    in
    go 0
  done

let usage () =
  prerr_endline
    "usage: magicert-proved [--leaves-only] [--magics] FILE...\n\
    \       magicert-proved [--shard N] [--settled FILE] FILE\n\
    \       magicert-proved --join FILE...\n\n\
     Checks cover certificates (plain or .xz), or the leaves that magicert writes to a pipe: then\n\
     FILE is -. Exit status: 0 valid, 1 invalid, 2 bad input, 3 not everything is settled (there are\n\
     no leaves, or not all shards); of several files the first of 1, 2, 3 that occurs.\n\
     --leaves-only   leave out, after counting them, files that carry no leaves\n\
     --magics        list the magics, in decimal and hexadecimal\n\
     --shard N       only this shard, from 0\n\
     --settled FILE  add a line to the file for each shard of a pipe, or that --shard names, as\n\
    \                 soon as it is settled\n\
     --join          the files have such lines, of one cell: are they everything together?\n\n\
     For tests: --problem FILE..., see problem.ml; --rows FILE, the rows of the cells in the file.";
  exit 2

let worst outcomes =
  let found = List.map status_of outcomes in
  match List.find_opt (fun status -> List.mem status found) [ 1; 2; 3 ] with
  | Some status -> status
  | None -> 0

let check_files ~leaves_only ~magics ~shard ~keep paths =
  let start = Unix.gettimeofday () and core = Sys.time () in
  let outcomes =
    List.map
      (fun path ->
        let outcome = check_file ~shard ~keep path in
        (match outcome with
        | Unknown _ when leaves_only -> ()
        | _ -> show ~magics path outcome);
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

type options = { leaves_only : bool; magics : bool; shard : int option; settled : string option }

let keep_in = function
  | None -> fun _ -> ()
  | Some path ->
      fun settled ->
        let channel = open_out_gen [ Open_append; Open_creat; Open_binary ] 0o644 path in
        output_string channel (Header.line_of_settled settled ^ "\n");
        close_out channel

let rec main options = function
  | [ "--rows"; path ] -> show_rows path
  | "--problem" :: (_ :: _ as paths) -> List.iter (fun path -> print_endline (Problem.check_file path)) paths
  | "--join" :: (_ :: _ as paths) ->
      let outcome = join_files paths in
      show ~magics:options.magics (String.concat " " paths) outcome;
      exit (status_of outcome)
  | "--leaves-only" :: rest -> main { options with leaves_only = true } rest
  | "--magics" :: rest -> main { options with magics = true } rest
  | "--settled" :: path :: rest -> main { options with settled = Some path } rest
  | "--shard" :: number :: rest when number <> "" && String.for_all (fun c -> c >= '0' && c <= '9') number ->
      main { options with shard = int_of_string_opt number } rest
  | (first :: _) as paths
    when first = "-" || (first <> "" && first.[0] <> '-' && (options.shard = None || List.length paths = 1)) ->
      let { leaves_only; magics; shard; settled } = options in
      exit (check_files ~leaves_only ~magics ~shard ~keep:(keep_in settled) paths)
  | _ -> usage ()

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 18 };
  main { leaves_only = false; magics = false; shard = None; settled = None } (List.tl (Array.to_list Sys.argv))
