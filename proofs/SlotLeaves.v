(** * Leaves of the count of slots

    For white rooks of rank 1. A leaf says: the step lies in an interval, m's lowest digits are these; and no
    such m is a magic, nor is its -m, as the attack sets take more slots than there are. [slot_leaf_ok] computes
    that, and [slot_leaf_is_true] is the theorem. Nothing is stored in a leaf: the checker finds how much the
    line shares with itself, moved by anything, for small cells of moves. *)

From Coq Require Import ZArith Lia Bool List FMapPositive.
From Magicert Require Import Words Board Cells Rounding Counting Translates Slots Overlaps.
Import ListNotations.
Open Scope Z_scope.

(** ** The rook: its line and its file *)

Definition rook (q k : Z) : cell :=
  {| its_scheme := White; its_piece := Rook; its_square := q; its_bits := k;
     largest_index := 2 ^ k - 1 |}.

(** The mask's squares on the line; patterns are subsets of them, divided by the lowest. *)
Definition line_squares (q : Z) : list Z := filter (fun s => negb (s =? q)) [1; 2; 3; 4; 5; 6].
Definition lowest (q : Z) : Z := hd 0 (line_squares q).
Definition patterns (q : Z) : list Z := sums (map (fun s => 2 ^ (s - lowest q)) (line_squares q)).

(** The mask's squares on the file, nearest first. *)
Definition file_squares (q : Z) : list Z := map (fun n => q + 8 * n) [1; 2; 3; 4; 5; 6].

Definition occupancy_of (q r : Z) (F : list bool) : Z :=
  r * 2 ^ lowest q + sum_of F (map (fun s => 2 ^ s) (file_squares q)).

(** What an attack set says of the line, and of the file. *)
Definition on_the_line (attack : Z) : Z := Z.land attack 255.
Definition not_attacked (q attack : Z) : nat :=
  length (filter (fun s => negb (Z.testbit attack s)) (map (fun n => q + 8 * n) [1; 2; 3; 4; 5; 6; 7])).
Definition kind (q r : Z) : Z := on_the_line (attack_set Rook q (r * 2 ^ lowest q)).

Fixpoint all_sets (n : nat) : list (list bool) :=
  match n with
  | O => [[]]
  | S n => map (cons false) (all_sets n) ++ map (cons true) (all_sets n)
  end.

Fixpoint all_once (l : list Z) : bool :=
  match l with [] => true | a :: l => negb (existsb (Z.eqb a) l) && all_once l end.

Definition list_differences (q : Z) : list Z :=
  let most := fold_right Z.max 0 (patterns q) in
  map (fun n => Z.of_nat n - most) (seq 0 (Z.to_nat (2 * most + 1))).

(** For one rook, by going through all its 2,048 or 4,096 occupancies: the attack set tells the class on the
    file and the attack on the line, and neither depends on the other. *)
Definition splits (q : Z) : bool :=
  all_once (patterns q) && forallb (fun r => 0 <=? r) (patterns q) &&
  let m := mask Rook q in
  forallb (fun r =>
    let on_line := kind q r in
    forallb (fun F =>
      let o := occupancy_of q r F in
      let attack := attack_set Rook q o in
      (0 <=? o) && (o <? 2 ^ 64) && (Z.land o m =? o) &&
      (on_the_line attack =? on_line) && (not_attacked q attack =? class_of F)%nat)
    (all_sets 6)) (patterns q).

Lemma all_rooks_split : forallb splits [0; 1; 2; 3; 4; 5; 6; 7] = true.
Proof. vm_compute. reflexivity. Qed.

Lemma a_rook_splits q : 0 <= q < 8 -> splits q = true.
Proof.
  intros Hq. pose proof all_rooks_split as H. rewrite forallb_forall in H. apply H. cbn. lia.
Qed.

Lemma once_is_once l : all_once l = true -> NoDup l.
Proof.
  induction l as [|a l IH]; cbn [all_once]; intros H; constructor; apply andb_true_iff in H as [H1 H2]; auto.
  intros H. apply negb_true_iff in H1. rewrite <- not_true_iff_false, existsb_exists in H1.
  apply H1. exists a. split; [assumption|apply Z.eqb_refl].
Qed.

Lemma all_sets_are_all n : forall F, length F = n -> In F (all_sets n).
Proof.
  induction n as [|n IH]; intros [|f F] E; cbn in E; try easy; [now left|].
  cbn [all_sets]. apply in_or_app. destruct f; [right|left]; apply in_map, IH; congruence.
Qed.

Section A_rook.

Variable q : Z.
Hypothesis rank_1 : 0 <= q < 8.

Lemma patterns_once : NoDup (patterns q).
Proof.
  pose proof (a_rook_splits q rank_1) as H. unfold splits in H. rewrite !andb_true_iff in H.
  now apply once_is_once.
Qed.

Lemma patterns_at_least_0 r : In r (patterns q) -> 0 <= r.
Proof.
  intros Hr. pose proof (a_rook_splits q rank_1) as H. unfold splits in H. rewrite !andb_true_iff in H.
  destruct H as [[_ H] _]. rewrite forallb_forall in H. apply Z.leb_le. auto.
Qed.

Lemma largest_of l (r : Z) : In r l -> r <= fold_right Z.max 0 l.
Proof. induction l as [|a l IH]; cbn [In fold_right]; [easy|]. intros [->|H]; [lia|specialize (IH H); lia]. Qed.

Lemma differences_listed r r' : In r (patterns q) -> In r' (patterns q) -> In (r' - r) (list_differences q).
Proof.
  intros Hr Hr'. pose proof (patterns_at_least_0 r Hr). pose proof (patterns_at_least_0 r' Hr').
  pose proof (largest_of _ _ Hr). pose proof (largest_of _ _ Hr').
  unfold list_differences. set (most := fold_right Z.max 0 (patterns q)) in *.
  apply in_map_iff. exists (Z.to_nat (r' - r + most)). split; [lia|]. apply in_seq. lia.
Qed.

Lemma what_a_rook_sees r F :
  In r (patterns q) -> length F = 6%nat ->
  let o := occupancy_of q r F in
  word o /\ Z.land o (mask Rook q) = o /\
  on_the_line (attack_set Rook q o) = kind q r /\ not_attacked q (attack_set Rook q o) = class_of F.
Proof.
  intros Hr HF o. pose proof (a_rook_splits q rank_1) as H. unfold splits in H.
  apply andb_true_iff in H as [_ H]. rewrite forallb_forall in H. specialize (H r Hr). cbv zeta in H.
  rewrite forallb_forall in H. specialize (H F (all_sets_are_all 6 F HF)). fold o in H.
  rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, !Z.eqb_eq, Nat.eqb_eq in H. unfold word. tauto.
Qed.

(** ** From a magic to moves *)

Variable k : Z.
Hypothesis few : 1 <= k <= 64.
Let few0 : 0 <= k <= 64. Proof. lia. Qed.

(** Products and moves agree modulo 2^64. *)
Definition agree_mod (m u v : Z) : Prop := exists i, u = v * m + i * 2 ^ 64.

Lemma sums_agree m us vs :
  Forall2 (agree_mod m) us vs -> forall F, agree_mod m (sum_of F us) (sum_of F vs).
Proof.
  intros H. induction H as [|u v us vs [i Hi] H IH]; intros [|f F]; cbn [sum_of]; try (exists 0; lia).
  destruct (IH F) as [j Hj]. destruct f; [exists (i + j)|exists j]; lia.
Qed.

Variable m : Z.
Let a := (2 ^ lowest q * m) mod 2 ^ 64.
Lemma agreeing_lengths us vs : Forall2 (agree_mod m) us vs -> length us = length vs.
Proof. intros H. induction H; cbn [length]; congruence. Qed.

Variable moves : list Z.
Hypothesis moves_of_m : Forall2 (agree_mod m) moves (map (fun s => 2 ^ s) (file_squares q)).

Lemma moves_length : length moves = 6%nat.
Proof.
  change 6%nat with (length (map (fun s => 2 ^ s) (file_squares q))).
  exact (agreeing_lengths _ _ moves_of_m).
Qed.

Lemma product_of r F : exists i, r * a + sum_of F moves = occupancy_of q r F * m + i * 2 ^ 64.
Proof.
  destruct (sums_agree m _ _ moves_of_m F) as [i Hi]. unfold occupancy_of.
  pose proof (Z.div_mod (2 ^ lowest q * m) (2 ^ 64) ltac:(lia)) as E. fold a in E.
  exists (i - r * ((2 ^ lowest q * m) / 2 ^ 64)). rewrite Hi.
  replace a with (2 ^ lowest q * m - 2 ^ 64 * ((2 ^ lowest q * m) / 2 ^ 64)) by lia. ring.
Qed.

Lemma index_by_slot m' o : Z.land o (mask Rook q) = o -> index (rook q k) m' o = slot_at k 0 (o * m').
Proof.
  intros Ho. rewrite others_are_as_they_are by easy.
  change (mask_of (rook q k)) with (mask Rook q). rewrite Ho.
  unfold slot_of. cbn [its_bits multiplicand constant rook its_scheme].
  rewrite (slots_by_quotients k few0). unfold slot_at. now rewrite Z.add_0_r, Z.sub_0_r.
Qed.

Lemma splitting r r' F G m' :
  magic (rook q k) m' -> In r (patterns q) -> In r' (patterns q) ->
  is_set_of moves F -> is_set_of moves G ->
  slot_at k 0 (occupancy_of q r F * m') = slot_at k 0 (occupancy_of q r' G * m') ->
  class_of F = class_of G /\ kind q r = kind q r'.
Proof.
  unfold is_set_of. rewrite moves_length. intros [_ Hm] Hr Hr' HF HG E.
  destruct (what_a_rook_sees r F Hr HF) as (H1 & H2 & H3 & H4).
  destruct (what_a_rook_sees r' G Hr' HG) as (H1' & H2' & H3' & H4').
  rewrite <- !index_by_slot in E by assumption. apply Hm in E; [|assumption..].
  unfold attacks in E. cbn [its_piece its_square rook] in E.
  rewrite <- H3, <- H4, <- H3', <- H4', E. easy.
Qed.

Lemma magics_work : magic (rook q k) m -> works k (patterns q) (kind q) a 0 moves.
Proof.
  intros Hm r r' F G Hr Hr' HF HG E. apply (splitting r r' F G m); auto.
  destruct (product_of r F) as [i Hi], (product_of r' G) as [j Hj]. rewrite Hi, Hj in E.
  now rewrite !(slot_of_word k few0) in E.
Qed.

(** L14 (a): -m with the offset 1. *)
Lemma opposites_work : magic (rook q k) (- m) -> works k (patterns q) (kind q) a 1 moves.
Proof.
  intros Hm r r' F G Hr Hr' HF HG E. apply (splitting r r' F G (- m)); auto.
  destruct (product_of r F) as [i Hi], (product_of r' G) as [j Hj]. rewrite Hi, Hj in E.
  rewrite !(slot_of_word k few0) in E. rewrite !Z.mul_opp_r. now apply (L14a k few0).
Qed.

End A_rook.

(** ** The table: how much any move lays the line on itself *)

(** What stands for a move that cannot be: less than any sum of others makes up for. *)
Definition never : Z := - 2 ^ 30.

Record settings := { cuts : nat; cells : Z; copies : nat }.

(** A leaf: the step is from [from] to from + wide, and m's lowest [digits] digits are those of [low_digits];
    so many squares of the file are known by them, from rank 7 down. *)
Record slot_leaf := { from : Z; wide : Z; low_digits : Z; digits : Z; squares : nat }.

Definition of_slot_leaf (q : Z) (l : slot_leaf) (m : Z) : Prop :=
  from l <= (2 ^ lowest q * m) mod 2 ^ 64 <= from l + wide l /\ m mod 2 ^ digits l = low_digits l.

Section Leaf.

Variables (q k : Z) (s : settings) (l : slot_leaf).

Let grain := 2 ^ 64 / cells s.
Let part := bucket k / Z.of_nat (cuts s).

Definition cell_of (y : Z) : Z := (y mod 2 ^ 64) / grain.

Definition entry (c : Z) : Z :=
  let P := patterns q in let D := list_differences q in
  if may_miss k P D (from l) (wide l) (cuts s) (part - 1) (c * grain) (grain - 1)
  then most_shared k P (kind q) D (from l) (wide l) (cuts s) (part - 1) (c * grain) (grain - 1)
  else never.

Definition all_cells : list Z := map Z.of_nat (seq 0 (Z.to_nat (cells s))).

Definition table : PositiveMap.t Z :=
  fold_right (fun c t => PositiveMap.add (Z.to_pos (c + 1)) (entry c) t) (PositiveMap.empty Z) all_cells.

Definition look (t : PositiveMap.t Z) (c : Z) : Z :=
  match PositiveMap.find (Z.to_pos (c + 1)) t with Some n => n | None => 2 ^ 30 end.

Variable t : PositiveMap.t Z.   (* [table], below *)

(** The most in the cells that hold y + e, for y in a cell. *)
Definition behind (c e : Z) : Z :=
  let i := c + cell_of e in
  let n := look t (i mod cells s) in
  if e mod grain =? 0 then n else Z.max n (look t ((i + 1) mod cells s)).

Definition shifts (moves : list Z) : list Z :=
  map (fun pair => snd pair - fst pair) (list_prod (sums moves) (sums moves)).

Definition most_of (known : list Z) : Z :=
  let all := shifts known in
  fold_right (fun c most => Z.max (total all (behind c)) most) never all_cells.

Definition own_overlap (rest : list Z) (v : Z) : Z := total (shifts rest) (fun e => look t (cell_of (v + e))).

Fixpoint known_gains (known : list Z) : list Z :=
  match known with [] => [] | v :: rest => own_overlap rest v :: known_gains rest end.

End Leaf.

(** The moves that the digits tell. *)
Definition known_moves (q : Z) (l : slot_leaf) : list Z :=
  map (fun n => 2 ^ n * low_digits l) (skipn (6 - squares l) (file_squares q)).

Definition slots_needed (q k : Z) (s : settings) (l : slot_leaf) : Z :=
  let t := table q k s l in
  let picked := pick k (kind q) (from l) (wide l) (patterns q) [] in
  let known := known_moves q l in
  let gains := known_gains s t known in
  let gains := match squares l with
    | 6%nat => gains
    | _ => unknown_gains (6 - squares l) (most_of s t known) gains
    end in
  let line := Z.of_nat (length picked) in
  all_take line (best line (map (fun n => Z.of_nat (S n)) (seq 0 (copies s)))) gains.

Definition slot_leaf_ok (q k : Z) (s : settings) (l : slot_leaf) : bool :=
  (0 <=? q) && (q <? 8) && (1 <=? k) && (k <=? 64) && (0 <=? wide l) && (squares l <=? 6)%nat
  && (1 <=? cells s) && (2 ^ 64 mod cells s =? 0)
  && (1 <=? cuts s)%nat && (bucket k mod Z.of_nat (cuts s) =? 0)
  && (0 <=? digits l)
  && forallb (fun n => 64 - n <=? digits l) (skipn (6 - squares l) (file_squares q))
  && (2 ^ k <? slots_needed q k s l).

(** ** The theorem *)

Section Truth.

Variables (q k : Z) (s : settings) (l : slot_leaf).
Hypothesis ok : slot_leaf_ok q k s l = true.

Let grain := 2 ^ 64 / cells s.
Let part := bucket k / Z.of_nat (cuts s).

Lemma what_is_ok :
  0 <= q < 8 /\ 1 <= k <= 64 /\ 0 <= wide l /\ (squares l <= 6)%nat /\
  (0 < grain /\ 2 ^ 64 = cells s * grain /\ 0 < cells s) /\
  (0 < part /\ bucket k = Z.of_nat (cuts s) * part) /\ 0 <= digits l /\
  (forall n, In n (skipn (6 - squares l) (file_squares q)) -> 64 - n <= digits l) /\
  2 ^ k < slots_needed q k s l.
Proof.
  pose proof ok as H. unfold slot_leaf_ok in H.
  rewrite !andb_true_iff, !Z.leb_le, !Z.ltb_lt, !Z.eqb_eq, !Nat.leb_le, forallb_forall in H.
  destruct H as [[[[[[[[[[[[H1 H2] H3] H4] H5] H6] H7] H8] H9] H10] H11] H12] H13].
  pose proof (bucket_positive k ltac:(lia)).
  assert (E : 2 ^ 64 = cells s * grain).
  { pose proof (Z.div_mod (2 ^ 64) (cells s) ltac:(lia)). unfold grain. lia. }
  assert (E2 : bucket k = Z.of_nat (cuts s) * part).
  { pose proof (Z.div_mod (bucket k) (Z.of_nat (cuts s)) ltac:(lia)). unfold part. lia. }
  assert (0 < grain) by nia. assert (0 < part) by nia.
  repeat split; try lia.
  intros n Hn. apply Z.leb_le. auto.
Qed.

Let t := table q k s l.
Let phi (y : Z) := look t (cell_of s y).

Lemma cell_by_quotient y : cell_of s y = (y / grain) mod cells s.
Proof.
  destruct what_is_ok as (_ & _ & _ & _ & (Hg & E & Hc) & _).
  unfold cell_of. fold grain. rewrite E, Z.mul_comm, Z.rem_mul_r by lia.
  rewrite Z.add_comm, Z.mul_comm, Z.div_add_l by lia.
  rewrite (Z.div_small (y mod grain)); [lia|]. apply Z.mod_pos_bound. lia.
Qed.

Lemma cell_in_range y : 0 <= cell_of s y < cells s.
Proof.
  destruct what_is_ok as (_ & _ & _ & _ & (Hg & E & Hc) & _).
  rewrite cell_by_quotient. apply Z.mod_pos_bound. lia.
Qed.

Lemma cell_holds y : cell_of s y * grain <= y mod 2 ^ 64 <= cell_of s y * grain + (grain - 1).
Proof.
  destruct what_is_ok as (_ & _ & _ & _ & (Hg & E & Hc) & _). unfold cell_of. fold grain.
  pose proof (Z.div_mod (y mod 2 ^ 64) grain ltac:(lia)).
  pose proof (Z.mod_pos_bound (y mod 2 ^ 64) grain Hg). lia.
Qed.

Lemma in_all_cells c : In c (all_cells s) <-> 0 <= c < cells s.
Proof.
  destruct what_is_ok as (_ & _ & _ & _ & (_ & _ & Hc) & _). unfold all_cells. rewrite in_map_iff. split.
  - intros (n & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat c). split; [lia|]. apply in_seq. lia.
Qed.

Lemma table_is_right c : 0 <= c < cells s -> look t c = entry q k s l c.
Proof.
  intros Hc. apply in_all_cells in Hc.
  assert (Hn : forall c, In c (all_cells s) -> 0 <= c) by (intros c' H; apply in_all_cells in H; lia).
  pose proof (Hn c Hc) as Hc0. unfold t, table, look.
  revert Hc Hn. generalize (all_cells s) as some.
  induction some as [|c' some IH]; cbn [In fold_right]; [easy|]. intros Hc Hn.
  pose proof (Hn c' ltac:(now left)) as Hc'. destruct (Z.eq_dec c' c) as [->|Hne].
  - now rewrite PositiveMap.gss.
  - rewrite PositiveMap.gso by (intros Heq; apply Z2Pos.inj in Heq; lia).
    apply IH; [|auto]. now destruct Hc.
Qed.

(** What is y + e away is in the cell that is so many cells away, or in the next. *)
Lemma phi_behind y e : phi (y + e) <= behind s t (cell_of s y) e.
Proof.
  destruct what_is_ok as (_ & _ & _ & _ & (Hg & E & Hc) & _). unfold behind, phi. fold grain.
  set (i := cell_of s y + cell_of s e).
  assert (Hi : forall n, (i + n) mod cells s = (y / grain + e / grain + n) mod cells s).
  { intros n. unfold i. rewrite !cell_by_quotient.
    rewrite <- Z.add_mod_idemp_l by lia. rewrite <- Z.add_mod by lia.
    now rewrite Z.add_mod_idemp_l by lia. }
  pose proof (Hi 0) as Hi0. rewrite !Z.add_0_r in Hi0.
  pose proof (Z.div_mod y grain ltac:(lia)). pose proof (Z.mod_pos_bound y grain Hg).
  pose proof (Z.div_mod e grain ltac:(lia)). pose proof (Z.mod_pos_bound e grain Hg).
  rewrite (cell_by_quotient (y + e)).
  destruct (Z.lt_ge_cases (y mod grain + e mod grain) grain).
  - assert ((y + e) / grain = y / grain + e / grain) as ->.
    { symmetry. apply Z.div_unique with (r := y mod grain + e mod grain); lia. }
    rewrite Hi0. destruct (e mod grain =? 0); lia.
  - assert ((y + e) / grain = y / grain + e / grain + 1) as ->.
    { symmetry. apply Z.div_unique with (r := y mod grain + e mod grain - grain); lia. }
    rewrite Hi. destruct (Z.eqb_spec (e mod grain) 0); lia.
Qed.

Lemma overlap_by_shifts known y : overlap phi known y = total (shifts known) (fun e => phi (y + e)).
Proof.
  unfold overlap, shifts. rewrite total_map, total_prod. apply total_ext. intros x _.
  apply total_ext. intros x' _. cbn [fst snd]. f_equal. lia.
Qed.

Lemma overlap_at_most known y : overlap phi known y <= most_of s t known.
Proof.
  rewrite overlap_by_shifts. etransitivity.
  { apply (total_le _ _ (behind s t (cell_of s y))). intros e _. apply phi_behind. }
  unfold most_of. pose proof (proj2 (in_all_cells _) (cell_in_range y)) as H. revert H.
  generalize (cell_of s y) as c, (all_cells s) as some. intros c.
  induction some as [|c' some IH]; cbn [In fold_right]; [easy|]. intros [->|H]; [lia|].
  specialize (IH H). lia.
Qed.

Lemma gains_are_bounds known : bounds phi (known_gains s t known) known.
Proof.
  induction known as [|v known IH]; cbn [known_gains bounds]; [exact I|]. split; [|assumption].
  rewrite overlap_by_shifts. unfold own_overlap. apply Z.le_refl.
Qed.

Section A_step.

Variable a : Z.
Hypothesis step : from l <= a <= from l + wide l.

Let P := patterns q.
Let K := kind q.

Lemma sharing_of_word u y : sharing k P a u y = sharing k P a u (y mod 2 ^ 64).
Proof.
  destruct what_is_ok as (_ & Hk & _). unfold sharing. apply total_ext. intros [r r'] _. unfold share.
  cbn [fst snd]. pose proof (Z.div_mod y (2 ^ 64) ltac:(lia)) as E.
  replace (r' * a + y) with (r' * a + y mod 2 ^ 64 + y / 2 ^ 64 * 2 ^ 64) by lia.
  now rewrite slot_of_word by lia.
Qed.

Lemma misses_of_word u y : misses k P a u y -> misses k P a u (y mod 2 ^ 64).
Proof.
  destruct what_is_ok as (_ & Hk & _). intros H r r' Hr Hr' E. apply (H r r' Hr Hr').
  pose proof (Z.div_mod y (2 ^ 64) ltac:(lia)) as E2.
  replace (r' * a + y) with (r' * a + y mod 2 ^ 64 + y / 2 ^ 64 * 2 ^ 64) by lia.
  now rewrite slot_of_word by lia.
Qed.

Lemma compatible_of_word u y : compatible k P K a u y -> compatible k P K a u (y mod 2 ^ 64).
Proof.
  destruct what_is_ok as (_ & Hk & _). intros H r r' Hr Hr' E. apply (H r r' Hr Hr').
  pose proof (Z.div_mod y (2 ^ 64) ltac:(lia)) as E2.
  replace (r' * a + y) with (r' * a + y mod 2 ^ 64 + y / 2 ^ 64 * 2 ^ 64) by lia.
  now rewrite slot_of_word by lia.
Qed.

Lemma phi_is_a_bound u y :
  compatible k P K a u y -> feasible k P a y -> sharing k P a u y <= phi y.
Proof.
  destruct what_is_ok as (Hq & Hk & Hw & _ & (Hg & E & Hc) & (Hp & E2) & _).
  intros Hcomp [u' Hm]. apply compatible_of_word in Hcomp. apply misses_of_word in Hm.
  rewrite sharing_of_word. unfold phi. rewrite table_is_right by apply cell_in_range.
  unfold entry. fold grain part P K.
  assert (Hcut : bucket k = Z.of_nat (cuts s) * (part - 1 + 1)) by (rewrite Z.sub_add; exact E2).
  rewrite (feasible_may_miss k ltac:(lia) P (list_differences q) (from l) (wide l)
    (patterns_at_least_0 q Hq) a step (cuts s) (part - 1) Hcut ltac:(lia)
    (cell_of s y * grain) (grain - 1) (y mod 2 ^ 64) (cell_holds y) (ex_intro _ u' Hm)).
  apply sharing_at_most with (a := a); auto; try lia.
  - now apply patterns_once.
  - now apply differences_listed.
  - now apply patterns_at_least_0.
  - apply cell_holds.
Qed.

End A_step.

(** m's moves: some are what the digits say. *)
Let all_moves (m : Z) : list Z :=
  map (fun n => 2 ^ n * m) (firstn (6 - squares l) (file_squares q)) ++ known_moves q l.

Lemma moves_agree m :
  m mod 2 ^ digits l = low_digits l ->
  Forall2 (agree_mod m) (all_moves m) (map (fun n => 2 ^ n) (file_squares q)).
Proof.
  destruct what_is_ok as (Hq & _ & _ & _ & _ & _ & Hd & Hk & _). intros Hm.
  assert (Hn : forall n, In n (file_squares q) -> 0 <= n).
  { intros n H. unfold file_squares in H. cbn in H. lia. }
  rewrite <- (firstn_skipn (6 - squares l) (file_squares q)) in Hn |- *. rewrite map_app.
  unfold all_moves, known_moves. apply Forall2_app.
  - generalize (firstn (6 - squares l) (file_squares q)) as some. intros some.
    induction some; cbn [map]; constructor; auto. exists 0. lia.
  - assert (Hn' : forall n, In n (skipn (6 - squares l) (file_squares q)) -> 0 <= n).
    { intros n H. apply Hn, in_or_app. now right. }
    clear Hn. revert Hk Hn'. generalize (skipn (6 - squares l) (file_squares q)) as some.
    induction some as [|n some IH]; cbn [map]; intros Hk Hn; constructor; [|auto with datatypes].
    pose proof (Hk n ltac:(now left)). pose proof (Hn n ltac:(now left)).
    destruct (L22 n (digits l) m ltac:(assumption) ltac:(assumption) ltac:(lia)) as [i Hi].
    exists i. rewrite <- Hm. lia.
Qed.

Lemma no_offset_works m u :
  of_slot_leaf q l m ->
  works k (patterns q) (kind q) ((2 ^ lowest q * m) mod 2 ^ 64) u (all_moves m) -> False.
Proof.
  intros [Ha Hm] Hw. destruct what_is_ok as (Hq & Hk & Hwide & Hs & _ & _ & _ & _ & Hneed).
  set (a := (2 ^ lowest q * m) mod 2 ^ 64) in *.
  assert (Hlen : length (map (fun n => 2 ^ n * m) (firstn (6 - squares l) (file_squares q))) = (6 - squares l)%nat).
  { rewrite map_length, firstn_length. change (length (file_squares q)) with 6%nat. lia. }
  set (picked := pick k (kind q) (from l) (wide l) (patterns q) []) in *.
  set (ks := map (fun n => Z.of_nat (S n)) (seq 0 (copies s))).
  assert (Hroom : all_take (Z.of_nat (length picked)) (best (Z.of_nat (length picked)) ks)
    (unknown_gains (6 - squares l) (most_of s t (known_moves q l)) (known_gains s t (known_moves q l))) <= 2 ^ k).
  { rewrite <- Hlen at 1.
    apply nodes_have_room with (line := patterns q) (kind := kind q) (a := a) (t := u)
      (moves := all_moves m) (phi := phi) (may := fun _ => true) (known := known_moves q l); auto; try lia.
    - intros u' y Hc Hf. etransitivity; [apply common_at_most; lia|]. now apply phi_is_a_bound.
    - intros u' x. apply L19; [lia|]. unfold picked. apply picked_apart with (a := a); auto; try lia.
      + intros r H. exact H.
      + split; [easy|constructor].
    - intros some n shares _. apply best_is_taken.
      intros j Hj. unfold ks in Hj. apply in_map_iff in Hj as (n' & <- & _). lia.
    - apply gains_are_bounds.
    - intros y _. apply overlap_at_most. }
  unfold slots_needed in Hneed. cbv zeta in Hneed. fold t picked ks in Hneed.
  destruct (squares l) as [|[|[|[|[|[|[|n]]]]]]]; cbn [Nat.sub unknown_gains] in *; lia.
Qed.

(** No m of a leaf that is accepted is a magic, and no -m. *)
Theorem slot_leaf_is_true m :
  of_slot_leaf q l m -> ~ magic (rook q k) m /\ ~ magic (rook q k) (- m).
Proof.
  intros Hm. destruct what_is_ok as (Hq & Hk & _). split; intros H.
  - apply (no_offset_works m 0 Hm). apply magics_work; auto. apply moves_agree, Hm.
  - apply (no_offset_works m 1 Hm). apply opposites_work; auto. apply moves_agree, Hm.
Qed.

End Truth.
