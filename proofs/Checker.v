(** * The checker

    A stream is a sequence of entries, one for each leaf, as the file has them. Where they come from
    does not matter: the theorem, in [Soundness], holds for every sequence. *)

From Coq Require Import ZArith Lia Bool List Uint63.
From Magicert Require Import Words Board Cells Leaves Covers Tables Machine.
Import ListNotations.
Open Scope Z_scope.

(** A leaf as a stream has it: it begins [gap] behind the end of the leaf before, modulo 2^64. *)
Record entry := {
  entry_w : int;
  gap_upper : int;
  gap_lowest : int;
  span_upper : int;
  span_lowest : int;
  entry_first : int;
  entry_second : int;
}.

(** Leaf number 0 and on; [None] behind the last. *)
Definition stream : Type := int -> option entry.

Record shard := {
  root : interval;
  entries : stream;
  listed : list (Z * Z);    (* the magics that the header lists, modulo 2^period *)
  listed_count : Z;         (* how many there are *)
}.

Inductive verdict :=
  | Accepted (magics : list (Z * Z))
  | Refused (broken : rule) (shard_number : Z) (leaf_number : int).

(** ** One shard *)

Record state := {
  number : int;                       (* of the next leaf *)
  next_upper : int;                   (* where it begins, but for its gap: a word *)
  next_lowest : int;
  before : list machine_interval;     (* what is left of the leaves so far, the last one first *)
  found : list (Z * Z);               (* magics so far, the last ones first *)
}.

Inductive progress := Going (s : state) | Ended (s : state) | Stopped (broken : rule) (leaf_number : int).

Definition interval_at (from_upper from_lowest : int) (e : entry) : machine_interval :=
  (let low := from_lowest + (gap_lowest e land 1) in
   let upper := from_upper + gap_upper e + (low >> 1) in
   let lowest := low land 1 in
   let high := lowest + (span_lowest e land 1) in
   {| its_w := entry_w e; low_upper := upper; low_lowest := lowest;
      high_upper := upper + span_upper e + (high >> 1); high_lowest := high land 1 |})%uint63.

Definition leaf_of (i : machine_interval) (e : entry) : leaf :=
  {| where_ := interval_of i; first := to_Z (entry_first e); second := to_Z (entry_second e) |}.

Definition gone_on (s : state) (i : machine_interval) (found : list (Z * Z)) : progress :=
  (let next := high_lowest i + 1 in
   Going {| number := number s + 1; next_upper := high_upper i + (next >> 1);
            next_lowest := next land 1; before := machine_push (before s) i; found := found |})%uint63.

Definition step (p : problem) (q : quick) (entries : stream) (s : state) : progress :=
  match entries (number s) with
  | None => Ended s
  | Some e =>
      let i := interval_at (next_upper s) (next_lowest s) e in
      if quick_check q i (span_upper e) (span_lowest e land 1)%uint63 (entry_first e) (entry_second e)
      then gone_on s i (found s)
      else
        let l := leaf_of i e in
        match leaf_fault p l with
        | Some broken => Stopped broken (number s)
        | None =>
            gone_on s i (if claims_magics l then (low (where_ l), high (where_ l)) :: found s else found s)
        end
  end.

(** Step by step, n times at most. *)
Fixpoint go_on (one : state -> progress) (n : positive) (s : state) : progress :=
  match n with
  | xH => one s
  | xO half => match go_on one half s with Going s => go_on one half s | over => over end
  | xI half =>
      match one s with
      | Going s => match go_on one half s with Going s => go_on one half s | over => over end
      | over => over
      end
  end.

Definition most_leaves : positive := 4611686018427387904.

Definition run_shard (p : problem) (q : quick) (root : interval) (entries : stream) : progress :=
  go_on (step p q entries) most_leaves
    {| number := 0; next_upper := upper_of (low root); next_lowest := lowest_of (low root);
       before := []; found := [] |}.

(** A shard that is covered: its number of leaves, and its magics. *)
Definition settle (p : problem) (q : quick) (root : interval) (entries : stream)
  : rule * int + int * list (Z * Z) :=
  match run_shard p q root entries with
  | Stopped broken n => inl (broken, n)
  | Going last => inl (Shard_not_covered, number last)
  | Ended last =>
      if negb (is_complete (map interval_of (before last)) root)
      then inl (Shard_not_covered, number last)
      else inr (number last, rev (found last))
  end.

(** ** What the header lists *)

(** Intervals in ascending order, the highest first; [None] if two of them meet. *)
Fixpoint insert (i : Z * Z) (sorted : list (Z * Z)) : option (list (Z * Z)) :=
  match sorted with
  | [] => Some [i]
  | j :: lower =>
      if snd j <? fst i then Some (i :: sorted)
      else if snd i <? fst j then option_map (cons j) (insert i lower)
      else None
  end.

Definition disjoint (intervals : list (Z * Z)) : bool :=
  match fold_left (fun s i => match s with Some s => insert i s | None => None end)
          intervals (Some []) with
  | Some _ => true
  | None => false
  end.

Definition how_many (intervals : list (Z * Z)) : Z :=
  fold_left (fun n i => n + (snd i - fst i + 1)) intervals 0.

(** So many intervals a shard lists at most; of more, the first. *)
Definition most_listed : Z := 10000.

Definition listed_fault (p : problem) (r : interval) (i : Z * Z) : option rule :=
  let (first, last) := i in
  if negb ((first <=? last) && (last <? 2 ^ period p)) then Some Listed_above_the_period
  else
    match magics_fault p (look p) first (last - first) (rows p) Blank with
    | Some broken => Some broken
    | None =>
        let start := first mod 2 ^ w r in
        if (low r <=? start) && (start + (last - first) <=? high r) then None
        else Some Listed_outside_the_shard
    end.

Fixpoint first_fault {A} (fault : A -> option rule) (l : list A) : option rule :=
  match l with
  | [] => None
  | a :: l => match fault a with Some broken => Some broken | None => first_fault fault l end
  end.

Definition header_fault (p : problem) (s : shard) : option rule :=
  match first_fault (listed_fault p (root s)) (listed s) with
  | Some broken => Some broken
  | None =>
      let total := how_many (listed s) in
      if negb (disjoint (listed s)) then Some Listed_twice
      else if Z.of_nat (length (listed s)) <? most_listed
        then if listed_count s =? total then None else Some Listed_and_counted_differ
        else if listed_count s <? total then Some Listed_and_counted_differ else None
  end.

(** Intervals that touch are one: a search cuts a run of magics where its own nodes end. *)
Fixpoint run_together (intervals : list (Z * Z)) : list (Z * Z) :=
  match intervals with
  | [] => []
  | (first, last) :: others =>
      match run_together others with
      | (first', last') :: rest =>
          if last + 1 =? first' then (first, last') :: rest
          else (first, last) :: (first', last') :: rest
      | [] => [(first, last)]
      end
  end.

Fixpoint same_list (a b : list (Z * Z)) : bool :=
  match a, b with
  | [], [] => true
  | i :: a, j :: b => (fst i =? fst j) && (snd i =? snd j) && same_list a b
  | _, _ => false
  end.

Definition is_not_empty (i : Z * Z) : bool := fst i <=? snd i.

(** Whether the magics of the stream are those of the header. *)
Definition as_listed (s : shard) (magics : list (Z * Z)) : bool :=
  let few := Z.of_nat (length magics) <=? most_listed in
  (same_list (firstn (Z.to_nat most_listed) magics) (listed s)
   || few && forallb is_not_empty magics && forallb is_not_empty (listed s)
      && same_list (run_together magics) (run_together (listed s)))
  && (how_many magics =? listed_count s).

(** ** A whole certificate *)

Definition check_shard (p : problem) (q : quick) (s : shard) : rule * int + list (Z * Z) :=
  match settle p q (root s) (entries s) with
  | inl refused => inl refused
  | inr (leaves, magics) =>
      if as_listed s magics then inr magics else inl (Magics_are_not_those_listed, leaves)
  end.

(** Shards that are settled, in order, with the magics of each: they are a proof if their roots are
    everything. So several machines can share a cell. *)
Definition join (settled : list (interval * list (Z * Z))) : verdict :=
  if roots_are_everything (map fst settled) then Accepted (concat (map snd settled))
  else Refused Roots_are_not_everything 0 0%uint63.

Fixpoint check_shards (p : problem) (q : quick) (n : Z) (shards : list shard)
  (settled : list (interval * list (Z * Z))) : verdict :=
  match shards with
  | [] => join (rev settled)
  | s :: shards =>
      match check_shard p q s with
      | inl (broken, leaf_number) => Refused broken n leaf_number
      | inr magics => check_shards p q (n + 1) shards ((root s, magics) :: settled)
      end
  end.

(** What can be said without leaves. *)
Fixpoint check_headers (p : problem) (n : Z) (shards : list shard) : verdict :=
  match shards with
  | [] => Accepted []
  | s :: shards =>
      match header_fault p s with
      | Some broken => Refused broken n 0%uint63
      | None => check_headers p (n + 1) shards
      end
  end.

Definition check_header (p : problem) (shards : list shard) : verdict :=
  if roots_are_everything (map root shards) then check_headers p 0 shards
  else Refused Roots_are_not_everything 0 0%uint63.

Definition check_problem (p : problem) (depth : nat) (shards : list shard) : verdict :=
  match check_header p shards with
  | Accepted _ => check_shards p (quick_of depth p) 0 shards []
  | refused => refused
  end.

(** The number of the mask's squares, so that occupancies have numbers below 2 to that. *)
Definition depth_of (c : cell) : nat := length (squares_of (mask_of c)).

Definition check (c : cell) (shards : list shard) : verdict :=
  if is_a_question c then check_problem (problem_of c) (depth_of c) shards
  else Refused Not_a_question 0 0%uint63.

(** m is listed: it is in one of the intervals, modulo 2^n. *)
Definition is_listed (n : Z) (magics : list (Z * Z)) (m : Z) : Prop :=
  exists first last, In (first, last) magics /\ first <= m mod 2 ^ n <= last.
