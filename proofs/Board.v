(** * The board: rays, masks and attack sets, by walking

    A square is 0 (a1) to 63 (h8): 8 * rank + file. A bitboard is a word; its bit s stands for the
    square s. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words.
Import ListNotations.
Open Scope Z_scope.

Inductive piece := Rook | Bishop.

(** The directions of a piece: so many files to the right, so many ranks up. *)
Definition directions (p : piece) : list (Z * Z) :=
  match p with
  | Rook => [(0, 1); (1, 0); (0, -1); (-1, 0)]
  | Bishop => [(1, 1); (1, -1); (-1, -1); (-1, 1)]
  end.

Definition on_board (file rank : Z) : bool :=
  (0 <=? file) && (file <? 8) && (0 <=? rank) && (rank <? 8).

(** The squares met on the way from a square to the edge, nearest first. No way is longer than
    seven squares. *)
Fixpoint way (longest : nat) (direction : Z * Z) (file rank : Z) : list Z :=
  match longest with
  | O => []
  | S shorter =>
      let file := file + fst direction in
      let rank := rank + snd direction in
      if on_board file rank then 8 * rank + file :: way shorter direction file rank else []
  end.

Definition rays (p : piece) (square : Z) : list (list Z) :=
  map (fun direction => way 7 direction (square mod 8) (square / 8)) (directions p).

Definition bitboard (squares : list Z) : Z := fold_right (fun s b => Z.setbit b s) 0 squares.

(** The relevant occupancy: each ray without its last square. *)
Definition mask (p : piece) (square : Z) : Z :=
  bitboard (flat_map (@removelast Z) (rays p square)).

(** A ray up to its first blocker, the blocker included. *)
Fixpoint seen (occupied : Z) (ray : list Z) : list Z :=
  match ray with
  | [] => []
  | s :: rest => s :: (if Z.testbit occupied s then [] else seen occupied rest)
  end.

Definition attack_set (p : piece) (square occupied : Z) : Z :=
  bitboard (flat_map (seen occupied) (rays p square)).

(** ** What follows *)

Lemma way_on_board n d : forall file rank s, In s (way n d file rank) -> 0 <= s < 64.
Proof.
  induction n as [|n IH]; cbn [way]; intros file rank s H; [easy|].
  destruct (on_board (file + fst d) (rank + snd d)) eqn:E; [|easy].
  apply andb_true_iff in E as [E E4]. apply andb_true_iff in E as [E E3].
  apply andb_true_iff in E as [E1 E2].
  destruct H as [H|H]; [lia|eauto].
Qed.

Lemma bits_of_a_bitboard squares s :
  (forall t, In t squares -> 0 <= t) -> Z.testbit (bitboard squares) s = true <-> In s squares.
Proof.
  induction squares as [|t rest IH]; simpl; intros Hs.
  - now rewrite Z.bits_0.
  - specialize (IH ltac:(firstorder)).
    destruct (Z.eq_dec t s) as [<-|E].
    + rewrite Z.setbit_eq by auto. tauto.
    + rewrite Z.setbit_neq by auto. rewrite IH. tauto.
Qed.

Lemma in_removelast {A} (a : A) l : In a (removelast l) -> In a l.
Proof.
  induction l as [|b [|c l] IH]; simpl; [easy|easy|].
  intros [H|H]; [auto|right; apply IH, H].
Qed.

Lemma mask_squares p square s :
  Z.testbit (mask p square) s = true <-> In s (flat_map (@removelast Z) (rays p square)).
Proof.
  apply bits_of_a_bitboard. intros t Ht.
  apply in_flat_map in Ht as (ray & Hr & Ht). apply in_removelast in Ht.
  apply in_map_iff in Hr as (d & <- & _). apply way_on_board in Ht. lia.
Qed.

Lemma mask_on_board p square s : Z.testbit (mask p square) s = true -> 0 <= s < 64.
Proof.
  rewrite mask_squares. intros Ht.
  apply in_flat_map in Ht as (ray & Hr & Ht). apply in_removelast in Ht.
  apply in_map_iff in Hr as (d & <- & _). now apply way_on_board in Ht.
Qed.

Lemma bitboard_nonnegative squares : 0 <= bitboard squares.
Proof.
  induction squares as [|s rest IH]; simpl; [lia|].
  rewrite Z.setbit_spec', Z.lor_nonneg. split; [assumption|].
  destruct (Z.le_gt_cases 0 s); [apply Z.pow_nonneg; lia|now rewrite Z.pow_neg_r].
Qed.

Lemma below_by_bits a n :
  0 <= a -> 0 <= n -> (forall i, n <= i -> Z.testbit a i = false) -> a < 2 ^ n.
Proof.
  intros Ha Hn H.
  replace a with (a mod 2 ^ n); [apply Z.mod_pos_bound, Z.pow_pos_nonneg; lia|].
  apply Z.bits_inj'; intros i Hi.
  destruct (Z.le_gt_cases n i).
  - now rewrite Z.mod_pow2_bits_high, H by lia.
  - now rewrite Z.mod_pow2_bits_low by lia.
Qed.

Lemma mask_is_a_word p square : word (mask p square).
Proof.
  split; [apply bitboard_nonnegative|]. apply below_by_bits; [apply bitboard_nonnegative|lia|].
  intros i Hi. destruct (Z.testbit (mask p square) i) eqn:E; [|easy].
  apply mask_on_board in E. lia.
Qed.

(** What stands on a ray's last square cannot change what is seen: the walk ends there anyway. *)
Lemma seen_without_the_last o o' ray :
  (forall s, In s (removelast ray) -> Z.testbit o s = Z.testbit o' s) -> seen o ray = seen o' ray.
Proof.
  induction ray as [|s [|t rest] IH]; intros H.
  - easy.
  - simpl. now destruct (Z.testbit o s), (Z.testbit o' s).
  - change (removelast (s :: t :: rest)) with (s :: removelast (t :: rest)) in H.
    change (s :: (if Z.testbit o s then [] else seen o (t :: rest)) =
            s :: (if Z.testbit o' s then [] else seen o' (t :: rest))).
    rewrite (H s) by now left. rewrite IH; [easy|]. intros u Hu. apply H. now right.
Qed.

(** So only the mask's squares count: the relevant occupancy is what its name says. *)
Lemma attacks_within_the_mask p square o :
  attack_set p square (Z.land o (mask p square)) = attack_set p square o.
Proof.
  unfold attack_set. f_equal. rewrite !flat_map_concat_map. f_equal.
  apply map_ext_in. intros ray Hr. apply seen_without_the_last. intros s Hs.
  rewrite Z.land_spec.
  assert (Z.testbit (mask p square) s = true) as ->; [|apply andb_true_r].
  apply mask_squares, in_flat_map. eauto.
Qed.
