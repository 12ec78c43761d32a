(** * The checker

    A stream is a sequence of entries, one for each leaf, as the file has them. Where they come from
    does not matter: the theorem, in [Soundness], holds for every sequence. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board Cells Leaves Covers Tables.
Import ListNotations.
Open Scope Z_scope.

(** A leaf as a stream has it: it begins [gap] behind the end of the leaf before, modulo 2^64. *)
Record entry := { entry_w : Z; gap : Z; span : Z; entry_first : Z; entry_second : Z }.

Record shard := {
  root : interval;
  count : Z;                (* of leaves *)
  entries : Z -> entry;     (* number 0 to count - 1 *)
  listed : list (Z * Z);    (* the magics that the header lists, modulo 2^period *)
  listed_count : Z;         (* how many there are *)
}.

Inductive verdict :=
  | Accepted (magics : list (Z * Z))
  | Refused (broken : rule) (shard_number leaf_number : Z).

(** ** One shard *)

Record state := {
  number : Z;
  next : Z;                     (* where the next leaf begins, but for its gap *)
  before : list interval;       (* what is left of the leaves so far, the last one first *)
  found : list (Z * Z);         (* magics so far, the last ones first *)
}.

Inductive progress := Going (s : state) | Stopped (broken : rule) (leaf_number : Z).

Definition leaf_of (from : Z) (e : entry) : leaf :=
  let start := Z.land (from + gap e) word_ones in
  {| where_ := {| w := entry_w e; low := start; high := Z.land (start + span e) word_ones |};
     first := entry_first e;
     second := entry_second e |}.

Definition step (fault : leaf -> option rule) (stream : Z -> entry) (before_it : progress)
  : progress :=
  match before_it with
  | Stopped _ _ => before_it
  | Going s =>
      let l := leaf_of (next s) (stream (number s)) in
      match fault l with
      | Some broken => Stopped broken (number s)
      | None =>
          let i := where_ l in
          Going {| number := number s + 1;
                   next := high i + 1;
                   before := push (before s) i;
                   found := if claims_magics l then (low i, high i) :: found s else found s |}
      end
  end.

Definition run_shard (fault : leaf -> option rule) (s : shard) : progress :=
  let start := Going {| number := 0; next := low (root s); before := []; found := [] |} in
  match count s with
  | Zpos n => Pos.iter (step fault (entries s)) start n
  | _ => start
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

Definition has_members (i : Z * Z) : bool := fst i <=? snd i.

(** Whether the magics of the stream are those of the header. *)
Definition as_listed (s : shard) (magics : list (Z * Z)) : bool :=
  let few := Z.of_nat (length magics) <=? most_listed in
  (same_list (firstn (Z.to_nat most_listed) magics) (listed s)
   || few && forallb has_members magics && forallb has_members (listed s)
      && same_list (run_together magics) (run_together (listed s)))
  && (how_many magics =? listed_count s).

(** ** A whole certificate *)

Definition check_shard (fault : leaf -> option rule) (s : shard)
  : rule * Z + list (Z * Z) :=
  match run_shard fault s with
  | Stopped broken n => inl (broken, n)
  | Going last =>
      if negb (is_complete (before last) (root s)) then inl (Shard_not_covered, count s)
      else
        let magics := rev (found last) in
        if as_listed s magics then inr magics else inl (Magics_are_not_those_listed, count s)
  end.

Fixpoint check_shards (fault : leaf -> option rule) (n : Z) (shards : list shard)
  (magics : list (list (Z * Z))) : verdict :=
  match shards with
  | [] => Accepted (concat (rev magics))
  | s :: shards =>
      match check_shard fault s with
      | inl (broken, leaf_number) => Refused broken n leaf_number
      | inr more => check_shards fault (n + 1) shards (more :: magics)
      end
  end.

(** What can be said without leaves. *)
Fixpoint check_headers (p : problem) (n : Z) (shards : list shard) : verdict :=
  match shards with
  | [] => Accepted []
  | s :: shards =>
      match header_fault p s with
      | Some broken => Refused broken n 0
      | None => check_headers p (n + 1) shards
      end
  end.

Definition check_header (p : problem) (shards : list shard) : verdict :=
  if roots_are_everything (map root shards) then check_headers p 0 shards
  else Refused Roots_are_not_everything 0 0.

Definition check_problem (p : problem) (shards : list shard) : verdict :=
  match check_header p shards with
  | Accepted _ => let fault := leaf_fault p in check_shards fault 0 shards []
  | refused => refused
  end.

Definition check (c : cell) (shards : list shard) : verdict :=
  if is_a_question c then check_problem (problem_of c) shards else Refused Not_a_question 0 0.

(** m is listed: it is in one of the intervals, modulo 2^n. *)
Definition is_listed (n : Z) (magics : list (Z * Z)) (m : Z) : Prop :=
  exists first last, In (first, last) magics /\ first <= m mod 2 ^ n <= last.
