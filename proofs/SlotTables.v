(** * Counting slots, L20: tables by cells of a move, their codes, and anchors

    proofs/rounding-lemma.md, "Counting slots". An entry of a table says of all moves of a cell at once how often
    they may lay the squares that are known on themselves. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Counting Translates.
Import ListNotations.
Open Scope Z_scope.

(** ** What an entry says, and how three make one *)

(** count.c: halves, rounded up, plus 1, in a byte; 0 if not feasible. What is too large is 252, which may be
    anything. *)
Definition most_code : Z := 252.
Definition code (n : Z) : Z := (n + 1) / 2 + 1.
Definition code_covers (e n : Z) : Prop := 1 <= e /\ (most_code <= e \/ n <= 2 * (e - 1)).

Definition join (x u w : Z) : Z :=
  if (x =? 0) || (u =? 0) || (w =? 0) then 0 else Z.min 255 (2 * x + u + w) - 3.

(** slots.c: the number, and -1 if not feasible. *)
Definition number_covers (e n : Z) : Prop := 0 <= e /\ n <= e.
Definition plain (x u w : Z) : Z := if (x <? 0) || (u <? 0) || (w <? 0) then -1 else 2 * x + u + w.

Lemma a_code_covers n : 0 <= n -> code_covers (code n) n.
Proof.
  intros H. unfold code_covers, code. pose proof (Z.div_mod (n + 1) 2 ltac:(lia)).
  pose proof (Z.mod_pos_bound (n + 1) 2 ltac:(lia)). split; [|right]; lia.
Qed.

(** Without what a byte can not hold, the new entry is that of the sum, or 1 more. *)
Theorem join_adds_codes x u w :
  0 <= x -> 0 <= u -> 0 <= w -> 2 * code x + code u + code w <= 255 ->
  join (code x) (code u) (code w) = 2 * code x + code u + code w - 3 /\
  code (2 * x + u + w) <= join (code x) (code u) (code w).
Proof.
  intros Hx Hu Hw H. unfold join, code in *.
  assert (E : forall n, 2 * ((n + 1) / 2) = n + 1 - (n + 1) mod 2 /\ 0 <= (n + 1) mod 2 < 2).
  { intros n. pose proof (Z.div_mod (n + 1) 2 ltac:(lia)). split; [lia|apply Z.mod_pos_bound; lia]. }
  pose proof (E x). pose proof (E u). pose proof (E w). pose proof (E (2 * x + u + w)).
  destruct (Z.eqb_spec ((x + 1) / 2 + 1) 0), (Z.eqb_spec ((u + 1) / 2 + 1) 0), (Z.eqb_spec ((w + 1) / 2 + 1) 0);
    cbn [orb]; lia.
Qed.

Theorem codes_join x u w p q r :
  code_covers x p -> code_covers u q -> code_covers w r -> code_covers (join x u w) (2 * p + q + r).
Proof.
  unfold code_covers, join, most_code. intros (H1 & H2) (H3 & H4) (H5 & H6).
  destruct (Z.eqb_spec x 0), (Z.eqb_spec u 0), (Z.eqb_spec w 0); cbn [orb]; lia.
Qed.

Lemma larger_codes e e' n : code_covers e n -> e <= e' -> code_covers e' n.
Proof. unfold code_covers. lia. Qed.

Theorem numbers_join x u w p q r :
  number_covers x p -> number_covers u q -> number_covers w r -> number_covers (plain x u w) (2 * p + q + r).
Proof.
  unfold number_covers, plain. intros (H1 & H2) (H3 & H4) (H5 & H6).
  destruct (Z.ltb_spec x 0), (Z.ltb_spec u 0), (Z.ltb_spec w 0); cbn [orb]; lia.
Qed.

Lemma larger_numbers e e' n : number_covers e n -> e <= e' -> number_covers e' n.
Proof. unfold number_covers. lia. Qed.

(** ** Tables *)

Section Tables.

(** A cell has the numbers from c grain on: [grain] of them in slots.c, and in count.c one more, its other end. Cells
    have all numbers here; a table's entries, and what a move shares, come again after as many as there are. *)
Variables grain more : Z.
Hypothesis grain_positive : 0 < grain.
Hypothesis one_more : 0 <= more <= 1.
Definition in_cell (c y : Z) : Prop := c * grain <= y < (c + 1) * grain + more.

Variable combine : Z -> Z -> Z -> Z.   (* [join] or [plain] *)

(** The larger of two neighbours, or one of them. *)
Definition one_or_two (T : Z -> Z) (exact : bool) (c c' : Z) : Z := if exact then T c else Z.max (T c) (T c').

(** The table with a square more, whose move is v. *)
Definition doubled (v : Z) (T : Z -> Z) (c : Z) : Z :=
  let i := v / grain in
  let exact := v mod grain =? 0 in
  combine (T c) (one_or_two T exact (c + i) (c + i + 1)) (one_or_two T exact (c - i) (c - i - 1)).

Fixpoint table_of (first : Z -> Z) (moves : list Z) : Z -> Z :=
  match moves with [] => first | v :: moves => doubled v (table_of first moves) end.

(** If a table comes again after [cells] entries, and is its own mirror image, the next one is. *)
Lemma tables_come_again cells v T :
  (forall c, T (c + cells) = T c) -> forall c, doubled v T (c + cells) = doubled v T c.
Proof.
  intros H c. unfold doubled, one_or_two. set (i := v / grain).
  replace (c + cells + i + 1) with (c + i + 1 + cells) by lia. replace (c + cells + i) with (c + i + cells) by lia.
  replace (c + cells - i - 1) with (c - i - 1 + cells) by lia. replace (c + cells - i) with (c - i + cells) by lia.
  now rewrite !H.
Qed.

Lemma mirrored_cell c y : more = 1 -> in_cell c y <-> in_cell (-1 - c) (- y).
Proof. unfold in_cell. lia. Qed.

Hypothesis other_way_round : forall x u w, combine x u w = combine x w u.

Theorem tables_are_symmetric v T :
  (forall c, T (-1 - c) = T c) -> forall c, doubled v T (-1 - c) = doubled v T c.
Proof.
  intros H c. unfold doubled, one_or_two. set (i := v / grain).
  assert (E : forall e, T (-1 - c + e) = T (c - e)) by (intros e; rewrite <- (H (c - e)); f_equal; lia).
  replace (-1 - c - i - 1) with (-1 - c + (- i - 1)) by lia. replace (-1 - c - i) with (-1 - c + - i) by lia.
  rewrite <- Z.add_assoc, !E, H, other_way_round.
  replace (c - - i) with (c + i) by lia. replace (c - (- i - 1)) with (c + i + 1) by lia.
  replace (c - (i + 1)) with (c - i - 1) by lia. easy.
Qed.

(** *** They say what is true *)

Variable covers : Z -> Z -> Prop.
Hypothesis they_combine : forall x u w p q r,
  covers x p -> covers u q -> covers w r -> covers (combine x u w) (2 * p + q + r).
Hypothesis larger_covers : forall e e' n, covers e n -> e <= e' -> covers e' n.

(** y + v is in the cell that is i away, or in the next one; y - v likewise. *)
Lemma moved_up c v y :
  in_cell c y -> in_cell (c + v / grain) (y + v) \/ (v mod grain <> 0 /\ in_cell (c + v / grain + 1) (y + v)).
Proof.
  unfold in_cell. intros H. pose proof (Z.div_mod v grain ltac:(lia)) as E.
  pose proof (Z.mod_pos_bound v grain grain_positive).
  rewrite (Z.mul_comm grain) in E. rewrite !Z.mul_add_distr_r in *.
  destruct (Z.lt_ge_cases (y + v) (c * grain + v / grain * grain + 1 * grain + more)); [left|right]; lia.
Qed.

Lemma moved_down c v y :
  in_cell c y -> in_cell (c - v / grain) (y - v) \/ (v mod grain <> 0 /\ in_cell (c - v / grain - 1) (y - v)).
Proof.
  unfold in_cell. intros H. pose proof (Z.div_mod v grain ltac:(lia)) as E.
  pose proof (Z.mod_pos_bound v grain grain_positive).
  rewrite (Z.mul_comm grain) in E. rewrite !Z.mul_add_distr_r, !Z.mul_sub_distr_r in *.
  destruct (Z.le_gt_cases (c * grain - v / grain * grain) (y - v)); [left|right]; lia.
Qed.

Lemma one_of_two T v c c' (z n : Z) :
  (forall b, in_cell b z -> covers (T b) n) ->
  in_cell c z \/ (v mod grain <> 0 /\ in_cell c' z) -> covers (one_or_two T (v mod grain =? 0) c c') n.
Proof.
  intros HT H. unfold one_or_two. destruct (Z.eqb_spec (v mod grain) 0) as [E|E].
  - destruct H as [H|[H _]]; [auto|contradiction].
  - destruct H as [H|[_ H]]; [apply (larger_covers (T c))|apply (larger_covers (T c'))]; auto; lia.
Qed.

Variables (phi : Z -> Z) (may : Z -> bool) (first : Z -> Z).
Hypothesis first_table : forall c y, in_cell c y -> may y = true -> covers (first c) (phi y).

(** L20 by cells: an entry is a bound for each move of its cell of which all differences may be. *)
Theorem L20_by_cells moves : forall c y,
  in_cell c y -> admissible may moves y -> covers (table_of first moves c) (overlap phi moves y).
Proof.
  induction moves as [|v moves IH]; intros c y Hc Hy; cbn [table_of].
  - rewrite overlap_of_none. apply first_table; [assumption|].
    specialize (Hy 0 0 ltac:(now left) ltac:(now left)). now replace (y + 0 - 0) with y in Hy by lia.
  - apply admissible_further in Hy as (H1 & H2 & H3). rewrite L20. unfold doubled. apply they_combine.
    + now apply IH.
    + apply one_of_two with (z := y + v); [intros b Hb; now apply IH|now apply moved_up].
    + apply one_of_two with (z := y - v); [intros b Hb; now apply IH|now apply moved_down].
Qed.

(** So the largest entry is one for all moves. *)
Corollary largest_entry_covers cells moves top :
  0 < cells -> (forall c, table_of first moves (c mod cells) = table_of first moves c) ->
  (forall c, 0 <= c < cells -> table_of first moves c <= top) ->
  forall y, admissible may moves y -> covers top (overlap phi moves y).
Proof.
  intros Hc Hagain Htop y Hy. apply larger_covers with (table_of first moves (y / grain)).
  - apply L20_by_cells; [|assumption]. unfold in_cell. pose proof (Z.div_mod y grain ltac:(lia)).
    pose proof (Z.mod_pos_bound y grain grain_positive). lia.
  - rewrite <- Hagain. apply Htop. now apply Z.mod_pos_bound.
Qed.

End Tables.

(** ** Anchors *)

(** If the new entry is q or more, one of the three is (q + 3) / 4 or more. *)
Theorem one_of_three x u w q :
  1 <= q <= join x u w -> (q + 3) / 4 <= Z.max x (Z.max u w) /\ q <= 4 * Z.max x (Z.max u w) - 3.
Proof.
  unfold join. intros H. destruct (Z.eqb_spec x 0), (Z.eqb_spec u 0), (Z.eqb_spec w 0); cbn [orb] in H; try lia.
  split; [|lia]. apply Z.lt_succ_r, Z.div_lt_upper_bound; lia.
Qed.

(** The cells whose new entry comes from the old one of y, in each of its three parts. *)
Definition parts (grain v y : Z) : list Z :=
  let i := v / grain in
  [y; y - i; y + i] ++ (if v mod grain =? 0 then [] else [y - i - 1; y + i + 1]).

(** So each entry that large comes from an anchor. *)
Theorem anchors_reach grain v T c q :
  1 <= q <= doubled grain join v T c ->
  exists y, (q + 3) / 4 <= T y /\ q <= 4 * T y - 3 /\ In c (parts grain v y).
Proof.
  intros H. unfold doubled in H. apply one_of_three in H. unfold one_or_two in H. unfold parts.
  assert (Hall : forall y, (q + 3) / 4 <= T y /\ q <= 4 * T y - 3 ->
    In c (parts grain v y) -> exists y, (q + 3) / 4 <= T y /\ q <= 4 * T y - 3 /\ In c (parts grain v y)).
  { intros y Hy Hc. exists y. now destruct Hy. }
  unfold parts in Hall. set (i := v / grain) in *.
  destruct (v mod grain =? 0); cbn [app In] in *.
  - destruct (Z.max_spec (T c) (Z.max (T (c + i)) (T (c - i)))) as [[_ E]|[_ E]]; rewrite E in H.
    + destruct (Z.max_spec (T (c + i)) (T (c - i))) as [[_ E2]|[_ E2]]; rewrite E2 in H.
      * apply (Hall (c - i)); [assumption|lia].
      * apply (Hall (c + i)); [assumption|lia].
    + apply (Hall c); [assumption|lia].
  - set (u := Z.max (T (c + i)) (T (c + i + 1))) in *. set (d := Z.max (T (c - i)) (T (c - i - 1))) in *.
    destruct (Z.max_spec (T c) (Z.max u d)) as [[_ E]|[_ E]]; rewrite E in H.
    + destruct (Z.max_spec u d) as [[_ E2]|[_ E2]]; rewrite E2 in H; [unfold d in H|unfold u in H].
      * destruct (Z.max_spec (T (c - i)) (T (c - i - 1))) as [[_ E3]|[_ E3]]; rewrite E3 in H.
        -- apply (Hall (c - i - 1)); [assumption|lia].
        -- apply (Hall (c - i)); [assumption|lia].
      * destruct (Z.max_spec (T (c + i)) (T (c + i + 1))) as [[_ E3]|[_ E3]]; rewrite E3 in H.
        -- apply (Hall (c + i + 1)); [assumption|lia].
        -- apply (Hall (c + i)); [assumption|lia].
    + apply (Hall c); [assumption|lia].
Qed.
