(** * Tables: the rows of a cell

    The rows stand in a tree that is as deep as the mask has squares: at each square, lowest first,
    the way parts by whether it is occupied. So occupancy number n is found by the bits of n, lowest
    first: this is the pdep order. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board Cells Leaves.
Import ListNotations.
Open Scope Z_scope.

(** How often a number can be halved. *)
Fixpoint halvings (n : positive) : Z := match n with xO n => 1 + halvings n | _ => 0 end.

(** The least w such that x is blind above w. *)
Definition width_of (x : Z) : Z :=
  match x with Zpos n => Z.max 0 (64 - halvings n) | _ => 0 end.

Definition make_row (x attack : Z) : row := {| x := x; width := width_of x; attack := attack |}.

Inductive tree := Only (r : row) | Fork (empty occupied : tree).

Fixpoint grow (make : Z -> row) (squares : list Z) (o : Z) : tree :=
  match squares with
  | [] => Only (make o)
  | s :: higher => Fork (grow make higher o) (grow make higher (Z.setbit o s))
  end.

Fixpoint find (t : tree) (n : Z) : option row :=
  match t with
  | Only r => if n =? 0 then Some r else None
  | Fork empty occupied => find (if Z.odd n then occupied else empty) (Z.div2 n)
  end.

Fixpoint all (t : tree) (others : list row) : list row :=
  match t with
  | Only r => r :: others
  | Fork empty occupied => all empty (all occupied others)
  end.

Definition squares_of (board : Z) : list Z :=
  filter (Z.testbit board) (map Z.of_nat (seq 0 64)).

Definition row_of (c : cell) (o : Z) : row := make_row (multiplicand c o) (attacks c o).

Definition problem_of (c : cell) : problem :=
  let t := grow (row_of c) (squares_of (mask_of c)) 0 in
  {| rows := all t [];
     row_number := find t;
     bits := its_bits c;
     added := constant c;
     least := least_slot c;
     most := most_slot c |}.

(** The period of a cell: m counts modulo 2^(period_of c). *)
Definition period_of (c : cell) : Z := period (problem_of c).

(** ** What follows *)

Lemma halvings_nonnegative n : 0 <= halvings n.
Proof. induction n; cbn [halvings]; lia. Qed.

Lemma halved n : exists odd, Zpos n = 2 ^ halvings n * (2 * odd + 1).
Proof.
  induction n as [n IH|n [odd IH]|]; cbn [halvings].
  - exists (Zpos n). lia.
  - exists odd. pose proof (halvings_nonnegative n).
    rewrite Z.pow_add_r, <- Z.mul_assoc, <- IH by lia. lia.
  - now exists 0.
Qed.

Lemma width_of_nonnegative x : 0 <= width_of x.
Proof. unfold width_of. destruct x; lia. Qed.

Lemma blind_above_its_width x : 0 <= x -> blind_above x (width_of x).
Proof.
  unfold blind_above, width_of. destruct x as [|n|n]; [easy| |easy]. intros _.
  destruct (halved n) as [odd ->]. pose proof (halvings_nonnegative n).
  set (h := halvings n) in *. destruct (Z.le_gt_cases h 64).
  - rewrite Z.max_r by lia.
    replace (2 ^ h * (2 * odd + 1) * 2 ^ (64 - h)) with ((2 * odd + 1) * (2 ^ h * 2 ^ (64 - h))) by ring.
    rewrite <- Z.pow_add_r by lia. replace (h + (64 - h)) with 64 by lia.
    apply Z.mod_mul. lia.
  - rewrite Z.max_l by lia.
    replace h with (h - 64 + 64) by lia. rewrite Z.pow_add_r by lia.
    replace (2 ^ (h - 64) * 2 ^ 64 * (2 * odd + 1) * 2 ^ 0)
      with (2 ^ (h - 64) * (2 * odd + 1) * 2 ^ 64) by ring.
    apply Z.mod_mul. lia.
Qed.

Lemma no_smaller_width x w : 0 <= x -> 0 <= w -> blind_above x w -> width_of x <= w.
Proof.
  unfold blind_above, width_of. destruct x as [|n|n]; [easy| |easy]. intros _ Hw Hb.
  destruct (halved n) as [odd E]. pose proof (halvings_nonnegative n).
  set (h := halvings n) in *. destruct (Z.le_gt_cases (64 - h) w); [lia|exfalso].
  assert (Ht : Z.testbit ((Zpos n * 2 ^ w) mod 2 ^ 64) (w + h) = true).
  { rewrite Z.mod_pow2_bits_low, Z.mul_pow2_bits_add by lia. rewrite E, Z.mul_comm.
    rewrite <- (Z.add_0_r h) at 2. rewrite Z.mul_pow2_bits_add by lia.
    rewrite Z.bit0_odd. now rewrite Z.add_comm, Z.odd_add_mul_2. }
  now rewrite Hb, Z.bits_0 in Ht.
Qed.

Fixpoint in_tree (r : row) (t : tree) : Prop :=
  match t with
  | Only r' => r' = r
  | Fork empty occupied => in_tree r empty \/ in_tree r occupied
  end.

Lemma in_all r t : forall others, In r (all t others) <-> in_tree r t \/ In r others.
Proof.
  induction t as [r'|a IHa b IHb]; simpl; intros others; [tauto|].
  rewrite IHa, IHb. tauto.
Qed.

Lemma found_in_tree t : forall n r, find t n = Some r -> in_tree r t.
Proof.
  induction t as [r'|a IHa b IHb]; cbn [find in_tree]; intros n r H.
  - destruct (n =? 0); congruence.
  - destruct (Z.odd n); [right|left]; eauto.
Qed.

Definition subset (a b : Z) : Prop := forall i, Z.testbit a i = true -> Z.testbit b i = true.

Lemma testbit_nonnegative a i : Z.testbit a i = true -> 0 <= i.
Proof. destruct (Z.le_gt_cases 0 i); [easy|]. now rewrite Z.testbit_neg_r. Qed.

Lemma setbit_subset a b s : 0 <= s ->
  Z.testbit b s = true -> subset a b -> subset (Z.setbit a s) b.
Proof.
  intros H0 Hs Ha i. destruct (Z.eq_dec s i) as [<-|]; [easy|].
  rewrite Z.setbit_neq by assumption. apply Ha.
Qed.

Lemma grown_rows make b squares : forall o r,
  (forall s, In s squares -> Z.testbit b s = true) -> 0 <= o -> subset o b ->
  in_tree r (grow make squares o) -> exists o', 0 <= o' /\ subset o' b /\ r = make o'.
Proof.
  induction squares as [|s higher IH]; simpl; intros o r Hs Ho Hb H.
  - exists o. auto.
  - assert (0 <= s) by (eapply testbit_nonnegative; auto).
    destruct H as [H|H].
    + apply (IH o); auto.
    + apply (IH (Z.setbit o s)); auto using setbit_subset.
      rewrite Z.setbit_spec'. apply Z.lor_nonneg. split; [assumption|]. apply Z.pow_nonneg. lia.
Qed.

Lemma all_are_grown make squares : forall acc o,
  (forall s, In s squares -> 0 <= s) ->
  subset acc o -> (forall i, Z.testbit o i = true -> Z.testbit acc i = true \/ In i squares) ->
  in_tree (make o) (grow make squares acc).
Proof.
  induction squares as [|s higher IH]; simpl; intros acc o Hs Hacc Ho.
  - f_equal. apply Z.bits_inj. intros i. apply eq_true_iff_eq. split; [apply Hacc|].
    intros H. destruct (Ho i H) as [|[]]. assumption.
  - assert (Hs0 : 0 <= s) by auto.
    destruct (Z.testbit o s) eqn:E; [right|left]; apply IH; auto.
    + intros i. destruct (Z.eq_dec s i) as [<-|]; [easy|].
      rewrite Z.setbit_neq by assumption. apply Hacc.
    + intros i Hi. destruct (Z.eq_dec s i) as [<-|].
      * left. now apply Z.setbit_eq.
      * rewrite Z.setbit_neq by assumption. destruct (Ho i Hi) as [|[|]]; tauto.
    + intros i Hi. destruct (Ho i Hi) as [|[->|]]; [tauto|congruence|tauto].
Qed.

Lemma squares_of_a_board b s : In s (squares_of b) -> 0 <= s /\ Z.testbit b s = true.
Proof.
  unfold squares_of. rewrite filter_In, in_map_iff. intros [(n & <- & _) H]. split; [lia|assumption].
Qed.

Lemma all_squares_of_a_board b s : 0 <= s < 64 -> Z.testbit b s = true -> In s (squares_of b).
Proof.
  unfold squares_of. rewrite filter_In, in_map_iff. intros H Hb. split; [|assumption].
  exists (Z.to_nat s). split; [lia|]. apply in_seq. lia.
Qed.

Lemma subset_is_occupancy c o : 0 <= o -> subset o (mask_of c) -> occupancy c o.
Proof.
  intros H0 H.
  assert (E : Z.land o (mask_of c) = o).
  { apply Z.bits_inj. intros i. rewrite Z.land_spec. specialize (H i).
    destruct (Z.testbit o i); [now rewrite H|easy]. }
  split; [|assumption]. pose proof (mask_is_a_word (its_piece c) (its_square c)) as Hm.
  fold (mask_of c) in Hm. rewrite <- E, Z.land_comm. apply land_is_a_word; assumption.
Qed.

Lemma occupancy_is_subset c o : occupancy c o -> subset o (mask_of c).
Proof.
  intros [_ E] i Hi. rewrite <- E, Z.land_spec in Hi. now apply andb_true_iff in Hi.
Qed.

Lemma rows_are_in_a_tree c :
  rows (problem_of c) = all (grow (row_of c) (squares_of (mask_of c)) 0) [].
Proof. reflexivity. Qed.

Lemma numbers_are_ways_in_a_tree c n :
  row_number (problem_of c) n = find (grow (row_of c) (squares_of (mask_of c)) 0) n.
Proof. reflexivity. Qed.

(** The rows are those of the occupancies: of all of them, and of nothing else. *)
Theorem rows_of_a_cell c r :
  In r (rows (problem_of c)) <-> exists o, occupancy c o /\ r = row_of c o.
Proof.
  rewrite rows_are_in_a_tree, in_all. split.
  - intros [H|[]].
    apply grown_rows with (b := mask_of c) in H as (o & H0 & Hs & ->).
    + exists o. split; [|reflexivity]. now apply subset_is_occupancy.
    + intros s Hs. now apply squares_of_a_board in Hs.
    + lia.
    + intros i. now rewrite Z.bits_0.
  - intros (o & Ho & ->). left. apply all_are_grown.
    + intros s Hs. now apply squares_of_a_board in Hs.
    + intros i. now rewrite Z.bits_0.
    + intros i Hi. right. apply (occupancy_is_subset c o Ho) in Hi.
      apply all_squares_of_a_board; [|assumption]. now apply mask_on_board in Hi.
Qed.

Lemma multiplicand_nonnegative c o : occupancy c o -> 0 <= multiplicand c o.
Proof.
  intros [[H _] _]. unfold multiplicand. destruct (its_scheme c); try assumption.
  pose proof (mask_is_a_word (its_piece c) (its_square c)) as [Hm _]. fold (mask_of c) in Hm.
  assert (0 <= Z.ldiff (mask_of c) o) by (apply Z.ldiff_nonneg; auto). lia.
Qed.

Theorem problem_of_is_sound c : 0 <= its_bits c <= 64 -> is_sound (problem_of c).
Proof.
  intros Hb. constructor.
  - assumption.
  - intros r Hr. apply rows_of_a_cell in Hr as (o & Ho & ->).
    apply multiplicand_nonnegative in Ho. unfold row_of, make_row, row_is_sound; cbn [x width].
    auto using width_of_nonnegative, blind_above_its_width.
  - intros n r H. rewrite rows_are_in_a_tree. apply in_all. left.
    rewrite numbers_are_ways_in_a_tree in H. eapply found_in_tree, H.
Qed.

(** Solving the problem is being a magic. *)
Theorem solving_is_being_a_magic c m :
  0 <= its_bits c <= 64 -> solves (problem_of c) m <-> magic c m.
Proof.
  intros Hb. rewrite magic_in_slots by assumption. unfold solves.
  assert (Hs : forall o, slot_at (problem_of c) m (row_of c o) = slot_of c m o) by easy.
  split; intros [H1 H2]; split.
  - intros o Ho. rewrite <- Hs. apply H1, rows_of_a_cell. eauto.
  - intros o o' Ho Ho' E. rewrite <- !Hs in E.
    apply (H2 (row_of c o) (row_of c o')); auto; apply rows_of_a_cell; eauto.
  - intros r Hr. apply rows_of_a_cell in Hr as (o & Ho & ->). rewrite Hs. apply H1, Ho.
  - intros r r' Hr Hr' E.
    apply rows_of_a_cell in Hr as (o & Ho & ->). apply rows_of_a_cell in Hr' as (o' & Ho' & ->).
    rewrite !Hs in E. now apply H2.
Qed.
