(** * Counting slots, L16 to L18 from the middle of a step

    proofs/rounding-lemma.md, "Counting slots", the end of L18. slots.c measures places in a slot in the [middle] of
    the step; at a step a that is at most [half] away, two patterns of R_d are closer or farther by [loose d] at most.
    The move y is somewhere from [at_] to at_ + g. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Counting Translates Slots Overlaps Nodes.
Import ListNotations.
Open Scope Z_scope.

Section Middle.

Variable bits : Z.
Hypothesis some_bits : 1 <= bits <= 64.
Let few : 0 <= bits <= 64. Proof. lia. Qed.
Let B := bucket bits.
Let HB : 0 < B := bucket_positive bits few.

Variables (line : list Z) (kind : Z -> Z).
Hypothesis once : NoDup line.
Variable differences : list Z.
Hypothesis all_differences : forall r r', In r line -> In r' line -> In (r' - r) differences.

Variables middle half : Z.

Notation members := (members line).
Notation good := (good kind).

(** ** What the program computes *)

Variable loose : Z -> Z.
Hypothesis loose_is_wide : forall d i j, In i (members d) -> In j (members d) -> Z.abs (j - i) * half <= loose d.

(** The gap in the middle, and what it may become. *)
Variable order : Z -> list Z.
Hypothesis order_is_full : forall d r, In r (order d) <-> In r (members d).
Definition middle_gap (d : Z) : Z := gap bits middle 0 order d.
Definition widest_gap (d : Z) : Z := middle_gap d + loose d.

Definition behind (i j : Z) : Z := (j * middle - i * middle) mod B.
Definition least_behind (d i j : Z) : Z := Z.max 0 (behind i j - loose d).

(** Whether s stops an arc from i before it comes to j. *)
Definition ends_before (d i j s : Z) : bool := (loose d <? behind i s) && (behind i s + loose d <? behind i j).

Variable left_out : Z -> Z -> Z -> bool.
Hypothesis left_out_if : forall d i j,
  left_out d i j = true -> existsb (fun s => negb (good d s) && ends_before d i j s) (members d) = true.

Definition held_by (d i : Z) : list Z := filter (fun j => good d j && negb (left_out d i j)) (members d).

Definition middle_span (d : Z) (c : nat) : Z :=
  fold_right Z.min (4 * B)
    (map (fun i => nth (c - 1) (in_order (map (least_behind d i) (held_by d i))) (4 * B)) (goods line kind d)).

(** y + d a is so far from y + d middle. *)
Definition slack (d : Z) : Z := Z.abs d * half.
Definition middle_low (d at_ : Z) : Z := signed (at_ + d * middle).

(** All moves of the cell are so near that none is feasible. *)
Definition middle_closed (at_ g d : Z) : bool :=
  farthest (middle_low d at_) (middle_low d at_ + g) <=? B - widest_gap d - slack d.

(** The c for which the cell has a move that is near enough. *)
Definition middle_given (at_ g d : Z) : Z :=
  let near := nearest (middle_low d at_) (middle_low d at_ + g) in
  Z.of_nat (fold_right Nat.max 0%nat
    (filter (fun c => near <=? B - 1 - middle_span d c + slack d) (seq 1 (length (goods line kind d))))).

Definition middle_may (at_ g : Z) : bool :=
  negb (existsb (fun d => negb (length (members d) =? 0)%nat && middle_closed at_ g d) differences).
Definition middle_shares (at_ g : Z) : Z :=
  Z.min (Z.of_nat (length line)) (total differences (middle_given at_ g)).

(** ** That it is right *)

Variable a : Z.
Hypothesis step : Z.abs (a - middle) <= half.

Notation feasible := (feasible bits line a).
Notation compatible := (compatible bits line kind a).

(** Where a pattern would be in the middle, from the arc's beginning on a straight line. *)
Let there (start i : Z) : Z := (i * a - start) mod B + i * (middle - a).

Lemma closer_or_farther d i j :
  In i (members d) -> In j (members d) -> Z.abs ((j - i) * (a - middle)) <= loose d.
Proof.
  intros Hi Hj. etransitivity; [|exact (loose_is_wide d i j Hi Hj)].
  rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg_l; lia.
Qed.

Lemma behind_there start i j : behind i j = (there start j - there start i) mod B.
Proof.
  unfold behind, there. pose proof (Z.div_mod (j * a - start) B ltac:(lia)) as Ej.
  pose proof (Z.div_mod (i * a - start) B ltac:(lia)) as Ei.
  set (qj := (j * a - start) / B) in *. set (qi := (i * a - start) / B) in *.
  replace (j * middle - i * middle)
    with ((j * a - start) mod B + j * (middle - a) - ((i * a - start) mod B + i * (middle - a)) + (qj - qi) * B) by lia.
  now rewrite Z.mod_add by lia.
Qed.

(** Who is held by the pattern of an arc that comes first in the middle. *)
Lemma first_in_the_middle d start long some :
  long <= B -> some <> [] ->
  (forall r, In r line -> In (r + d) line -> on_arc bits start long (r * a) -> kind r = kind (r + d)) ->
  (forall r, In r some -> In r line /\ In (r + d) line /\ on_arc bits start long (r * a)) ->
  exists i, In i some /\ forall j, In j some -> In j (held_by d i) /\ least_behind d i j <= long - 1.
Proof.
  intros HlB Hne Hgood Hsome. unfold on_arc in *. fold B in Hgood, Hsome.
  assert (Hin : forall r, In r some -> In r (members d) /\ good d r = true).
  { intros r Hr. destruct (Hsome r Hr) as (H1 & H2 & H3). split; [now apply in_members|].
    unfold Nodes.good. apply Z.eqb_eq. now apply Hgood. }
  destruct (first_by (there start) some Hne) as (i & Hi & Hfirst). exists i. split; [assumption|].
  intros j Hj. destruct (Hin i Hi) as [Hmi _]. destruct (Hin j Hj) as [Hmj Hgj].
  specialize (Hfirst j Hj). pose proof (closer_or_farther d i j Hmi Hmj) as Hij.
  destruct (Hsome i Hi) as (_ & _ & Hai). destruct (Hsome j Hj) as (_ & _ & Haj).
  pose proof (Z.mod_pos_bound (i * a - start) B HB) as Hpi. pose proof (Z.mod_pos_bound (j * a - start) B HB) as Hpj.
  pose proof (behind_there start i j) as Eij.
  assert (Hle : behind i j <= there start j - there start i) by (rewrite Eij; apply Z.mod_le; lia).
  assert (Et : there start j - there start i
               = (j * a - start) mod B - (i * a - start) mod B - (j - i) * (a - middle)) by (unfold there; ring).
  split; [|unfold least_behind; lia].
  apply filter_In. split; [assumption|]. rewrite Hgj. apply negb_true_iff.
  destruct (left_out d i j) eqn:El; [exfalso|easy]. apply left_out_if, existsb_exists in El as (s & Hms & El).
  apply andb_true_iff in El as [Hng El]. unfold ends_before in El. rewrite andb_true_iff, !Z.ltb_lt in El.
  pose proof (closer_or_farther d i s Hmi Hms) as His. pose proof (closer_or_farther d s j Hms Hmj) as Hsj.
  set (p := (i * a - start) mod B + behind i s + (s - i) * (a - middle)).
  assert (Ej : (j * a - start) mod B - p
               = there start j - there start i - behind i s + (j - s) * (a - middle)) by (unfold p; lia).
  assert (Hp : 0 <= p < (j * a - start) mod B) by (split; [unfold p|]; lia).
  assert (Es : (s * a - start) mod B = p).
  { symmetry. unfold behind in p. pose proof (Z.div_mod (i * a - start) B ltac:(lia)).
    pose proof (Z.div_mod (s * middle - i * middle) B ltac:(lia)).
    apply Z.mod_unique with (q := (i * a - start) / B + (s * middle - i * middle) / B); [left; lia|]. unfold p. lia. }
  apply negb_true_iff in Hng. apply in_members in Hms as [Hs1 Hs2].
  unfold Nodes.good in Hng. rewrite (Hgood s Hs1 Hs2 ltac:(lia)) in Hng. now rewrite Z.eqb_refl in Hng.
Qed.

Lemma middle_span_is_short d start long some :
  long <= B -> some <> [] -> NoDup some ->
  (forall r, In r line -> In (r + d) line -> on_arc bits start long (r * a) -> kind r = kind (r + d)) ->
  (forall r, In r some -> In r line /\ In (r + d) line /\ on_arc bits start long (r * a)) ->
  middle_span d (length some) < long.
Proof.
  intros HlB Hne Hnd Hgood Hsome.
  destruct (first_in_the_middle d start long some HlB Hne Hgood Hsome) as (i & Hi & Hheld).
  apply Z.le_lt_trans with (long - 1); [|lia].
  etransitivity; [|apply (c_of_them_are_so_small (least_behind d i) (held_by d i) some (long - 1) (4 * B) Hne Hnd Hheld)].
  unfold middle_span. apply at_least_smallest, in_map_iff. exists i. split; [easy|].
  destruct (Hsome i Hi) as (H1 & H2 & H3). apply filter_In. split; [now apply in_members|].
  unfold Nodes.good. apply Z.eqb_eq. now apply Hgood.
Qed.

(** In the middle an arc is free that is shorter by [loose] at most. *)
Lemma free_arc_in_the_middle d start long :
  members d <> [] -> long <= B ->
  (forall r, In r line -> In (r + d) line -> ~ on_arc bits start long (r * a)) -> long < widest_gap d.
Proof.
  intros Hne Hl Hf. destruct (first_by (fun r => - there start r) (members d) Hne) as (i & Hi & Hlast).
  assert (Hfree : forall r, In r (members d) -> long <= (r * a - start) mod B < B).
  { intros r Hr. apply in_members in Hr as [H1 H2]. specialize (Hf r H1 H2). unfold on_arc in Hf. fold B in Hf.
    pose proof (Z.mod_pos_bound (r * a - start) B HB). lia. }
  pose proof (Hfree i Hi) as Hui.
  assert (Hshort : long - loose d < middle_gap d); [|unfold widest_gap; lia].
  unfold middle_gap. apply free_arc_is_short with (line := line) (a := middle)
    (start := start + there start i + 1); auto; try lia.
  - pose proof (closer_or_farther d i i Hi Hi). fold B. lia.
  - intros r H1 H2. unfold on_arc. fold B. assert (Hr : In r (members d)) by now apply in_members.
    pose proof (Hfree r Hr) as Hur. specialize (Hlast r Hr). cbv beta in Hlast.
    pose proof (closer_or_farther d i r Hi Hr) as Hir.
    assert (Et : there start r - there start i
                 = (r * a - start) mod B - (i * a - start) mod B - (r - i) * (a - middle)) by (unfold there; ring).
    pose proof (Z.mod_pos_bound (r * middle - (start + there start i + 1)) B HB) as Hm.
    destruct (Z.le_gt_cases 0 (there start r - there start i + B - 1)) as [Hpos|]; [|lia].
    assert (Ep : there start r - there start i + B - 1 = (r * middle - (start + there start i + 1)) mod B); [|lia].
    apply Z.mod_unique with (q := (r * a - start) / B - 1); [left; lia|].
    pose proof (Z.div_mod (r * a - start) B ltac:(lia)). unfold there. lia.
Qed.

(** The cell of moves; cells are small. *)
Variables at_ g : Z.
Hypothesis small : forall d, In d differences -> g + slack d + B <= 2 ^ 63.

Lemma near_in_the_middle d y delta :
  In d differences -> at_ <= y <= at_ + g -> apart_by bits a d y delta ->
  nearest (middle_low d at_) (middle_low d at_ + g) <= Z.abs delta + slack d.
Proof.
  intros Hd Hy [Hdelta [k E]]. specialize (small d Hd). fold B in Hdelta.
  assert (Hs : Z.abs (d * (a - middle)) <= slack d).
  { unfold slack. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg_l; lia. }
  etransitivity; [apply nearest_is_near with (n := delta - d * (a - middle))|lia].
  unfold middle_low, signed. set (z := at_ + d * middle) in *.
  pose proof (Z.div_mod (z + 2 ^ 63) (2 ^ 64) ltac:(lia)) as Ez.
  pose proof (Z.mod_pos_bound (z + 2 ^ 63) (2 ^ 64) ltac:(lia)) as Hz.
  set (q := (z + 2 ^ 63) / 2 ^ 64) in *. set (m := (z + 2 ^ 63) mod 2 ^ 64) in *.
  assert (E2 : delta = m - 2 ^ 63 + (y - at_) + d * (a - middle) + (q - k) * 2 ^ 64) by (unfold z in Ez; lia).
  assert (q - k = 0); [|lia]. set (e := q - k) in *. clearbody e m. lia.
Qed.

(** A cell that is closed has no feasible move. *)
Theorem L17_from_the_middle y : at_ <= y <= at_ + g -> feasible y -> middle_may at_ g = true.
Proof.
  intros Hy Hf. unfold middle_may. apply negb_true_iff. destruct (existsb _ _) eqn:E; [exfalso|easy].
  apply existsb_exists in E as (d & Hd & E). apply andb_true_iff in E as [Hne E]. apply Z.leb_le in E.
  assert (Hmem : members d <> []) by (intros Em; now rewrite Em in Hne).
  set (delta := middle_low d at_ + (y - at_) + d * (a - middle)).
  assert (Hs : Z.abs (d * (a - middle)) <= slack d).
  { unfold slack. rewrite Z.abs_mul. apply Z.mul_le_mono_nonneg_l; lia. }
  assert (Hdelta : Z.abs delta <= B - widest_gap d).
  { unfold farthest in E. unfold delta. lia. }
  assert (Hwide : 0 < widest_gap d).
  { apply free_arc_in_the_middle with (start := 0); [assumption|lia|]. intros r _ _ H. unfold on_arc in H. fold B in H.
    pose proof (Z.mod_pos_bound (r * a - 0) B HB). lia. }
  assert (Hap : apart_by bits a d y delta).
  { split; [fold B; lia|]. unfold delta, middle_low, signed. exists ((at_ + d * middle + 2 ^ 63) / 2 ^ 64).
    pose proof (Z.div_mod (at_ + d * middle + 2 ^ 63) (2 ^ 64) ltac:(lia)). lia. }
  destruct (L16 bits few line a d y delta Hf Hap) as [start Hs2]. fold B in Hs2.
  pose proof (free_arc_in_the_middle d start (B - Z.abs delta) Hmem ltac:(lia) Hs2). lia.
Qed.

Theorem L18_from_the_middle t y :
  at_ <= y <= at_ + g -> compatible t y -> common_slots bits line a t y <= middle_shares at_ g.
Proof.
  intros Hy Hc. unfold middle_shares. apply Z.min_glb; [now apply common_at_most_patterns|].
  etransitivity; [now apply common_at_most|].
  apply (L18 bits few line kind once differences all_differences a t y); auto; [lia|intros d; unfold middle_given; lia|].
  intros d delta start some Hd Hnd Hgood Hsome.
  destruct some as [|r0 rest] eqn:Es; [cbn; unfold middle_given; lia|]. rewrite <- Es in *.
  assert (Hne : some <> []) by now rewrite Es.
  assert (Hdd : In d differences).
  { destruct (Hsome r0) as (H1 & H2 & _); [rewrite Es; now left|].
    replace d with (r0 + d - r0) by lia. now apply all_differences. }
  pose proof (near_in_the_middle d y delta Hdd Hy Hd) as Hnear.
  fold B in Hgood, Hsome.
  pose proof (middle_span_is_short d start (B - Z.abs delta) some ltac:(lia) Hne Hnd Hgood Hsome) as Hspan.
  unfold middle_given. cbv zeta. apply Nat2Z.inj_le, at_most_largest_nat, filter_In. split; [|apply Z.leb_le; lia].
  apply in_seq. split; [rewrite Es; cbn; lia|]. rewrite Nat.add_1_l. apply Nat.lt_succ_r.
  apply NoDup_incl_length; [assumption|]. intros r Hr. destruct (Hsome r Hr) as (H1 & H2 & H3).
  apply filter_In. split; [now apply in_members|]. unfold Nodes.good. apply Z.eqb_eq. now apply Hgood.
Qed.

End Middle.
