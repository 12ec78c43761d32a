(* Problems that are no cell of the board, for tests: a text of lines

     bits constant least most
     row X ATTACK                     one for each occupancy, in order
     root W LOW HIGH
     leaf W LOW HIGH FIRST SECOND     one for each leaf, in order

   all numbers as 0x1f. The answer is "accepted", or the rule that is broken and the leaf. *)

open Kernel

let modulo_word z = Z.coq_land z word_ones

let entries root leaves =
  let next = ref root.low in
  List.map
    (fun (w, low, high, first, second) ->
      let gap = modulo_word (Z.add (Z.sub low !next) (Header.two_to 64)) in
      let span = modulo_word (Z.add (Z.sub high low) (Header.two_to 64)) in
      next := Z.add high (Zpos XH);
      { entry_w = Numbers.to_int w; gap_upper = Numbers.upper_of gap;
        gap_lowest = Numbers.lowest_of gap; span_upper = Numbers.upper_of span;
        span_lowest = Numbers.lowest_of span; entry_first = Numbers.to_int first;
        entry_second = Numbers.to_int second })
    leaves
  |> Array.of_list

let check_lines lines =
  let numbers = List.map Numbers.of_hex in
  let rows = ref [] and leaves = ref [] and root = ref None and first = ref None in
  List.iter
    (fun line ->
      match String.split_on_char ' ' line with
      | [ "" ] -> ()
      | "row" :: words -> (
          match numbers words with [ x; attack ] -> rows := make_row x attack :: !rows | _ -> failwith line)
      | "root" :: words -> (
          match numbers words with [ w; low; high ] -> root := Some { w; low; high } | _ -> failwith line)
      | "leaf" :: words -> (
          match numbers words with
          | [ w; low; high; first; second ] -> leaves := (w, low, high, first, second) :: !leaves
          | _ -> failwith line)
      | words -> (
          match numbers words with
          | [ bits; added; least; most ] -> first := Some (bits, added, least, most)
          | _ -> failwith line))
    lines;
  let rows = List.rev !rows and root = Option.get !root in
  let bits, added, least, most = Option.get !first in
  let problem =
    { rows; row_number = (fun n -> List.nth_opt rows (Numbers.to_int n)); bits; added; least; most }
  in
  let leaves = List.rev !leaves in
  let entries = entries root leaves in
  let listed =
    List.filter_map
      (fun (_, low, high, first, second) ->
        if Numbers.to_int first = 1 && second = Z0 then Some (low, high) else None)
      leaves
  in
  let shard =
    { root; entries = (fun n -> if n < Array.length entries then Some entries.(n) else None); listed;
      listed_count = how_many listed }
  in
  let rec depth rows = if rows < 2 then O else S (depth ((rows + 1) / 2)) in
  match check_shard problem (quick_of (depth (List.length rows)) problem) shard with
  | Inr _ -> "accepted"
  | Inl (broken, leaf) -> Printf.sprintf "leaf %d: %s" leaf (Rules.text broken)

let check_file path =
  let channel = open_in path in
  let text = really_input_string channel (in_channel_length channel) in
  close_in channel;
  check_lines (String.split_on_char '\n' text)
