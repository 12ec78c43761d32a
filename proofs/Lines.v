(** * Attacked, said a second time

    [Board] walks. Here nothing walks: a square is attacked if it is on a line with the piece, and no
    square strictly between the two is occupied. Both definitions say the same. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Board.
Import ListNotations.
Open Scope Z_scope.

Definition file (s : Z) : Z := s mod 8.
Definition rank (s : Z) : Z := s / 8.

(** A rook's lines are files and ranks, a bishop's are diagonals. *)
Definition on_a_line (p : piece) (s t : Z) : Prop :=
  s <> t /\
  match p with
  | Rook => file s = file t \/ rank s = rank t
  | Bishop => Z.abs (file s - file t) = Z.abs (rank s - rank t)
  end.

(** u is strictly between s and t: in their rectangle, on the straight line through both, neither s
    nor t. *)
Definition between (s t u : Z) : Prop :=
  Z.min (file s) (file t) <= file u <= Z.max (file s) (file t) /\
  Z.min (rank s) (rank t) <= rank u <= Z.max (rank s) (rank t) /\
  (file u - file s) * (rank t - rank s) = (rank u - rank s) * (file t - file s) /\
  u <> s /\ u <> t.

Definition attacked (p : piece) (s occupied t : Z) : Prop :=
  on_a_line p s t /\
  forall u, 0 <= u < 64 -> between s t u -> Z.testbit occupied u = false.

(** ** What follows *)

Definition board : list Z := map Z.of_nat (seq 0 64).

Lemma on_the_board s : In s board <-> 0 <= s < 64.
Proof.
  unfold board. rewrite in_map_iff. split.
  - intros (n & <- & H). apply in_seq in H. lia.
  - intros H. exists (Z.to_nat s). split; [lia|]. apply in_seq. lia.
Qed.

Definition on_a_lineb (p : piece) (s t : Z) : bool :=
  negb (s =? t) &&
  match p with
  | Rook => (file s =? file t) || (rank s =? rank t)
  | Bishop => Z.abs (file s - file t) =? Z.abs (rank s - rank t)
  end.

(** [if] and not [&&], so that Coq need not compute what does not matter. *)
Local Notation "a &?& b" := (if a then b else false) (at level 40, left associativity).

Definition betweenb (s t u : Z) : bool :=
  (let fs := file s in let ft := file t in let rs := rank s in let rt := rank t in
   let fu := file u in let ru := rank u in
   (Z.min fs ft <=? fu) &?& (fu <=? Z.max fs ft) &?&
   (Z.min rs rt <=? ru) &?& (ru <=? Z.max rs rt) &?&
   ((fu - fs) * (rt - rs) =? (ru - rs) * (ft - fs)) &?&
   negb (u =? s) &?& negb (u =? t)).

Lemma on_a_line_is p s t : on_a_lineb p s t = true <-> on_a_line p s t.
Proof.
  unfold on_a_lineb, on_a_line. rewrite andb_true_iff, negb_true_iff, Z.eqb_neq.
  destruct p; rewrite ?orb_true_iff, ?Z.eqb_eq; tauto.
Qed.

Lemma between_is s t u : betweenb s t u = true <-> between s t u.
Proof.
  unfold betweenb, between. cbv zeta.
  repeat match goal with
  | |- context [if ?a then ?b else false] => change (if a then b else false) with (a && b)
  end.
  rewrite !andb_true_iff, !negb_true_iff, !Z.eqb_neq, !Z.eqb_eq, !Z.leb_le.
  tauto.
Qed.

(** What a walk meets before t, if it meets t. *)
Fixpoint met (t : Z) (ray : list Z) : option (list Z) :=
  match ray with
  | [] => None
  | s :: rest => if s =? t then Some [] else option_map (cons s) (met t rest)
  end.

Definition all_empty (occupied : Z) (squares : list Z) : bool :=
  forallb (fun u => negb (Z.testbit occupied u)) squares.

Lemma seen_is_met occupied t ray :
  In t (seen occupied ray) ->
  exists squares, met t ray = Some squares /\ all_empty occupied squares = true.
Proof.
  induction ray as [|s rest IH]; cbn [seen met]; [easy|]. intros [->|H].
  - rewrite Z.eqb_refl. now exists [].
  - destruct (Z.testbit occupied s) eqn:E; [easy|].
    destruct (s =? t); [now exists []|].
    destruct (IH H) as (squares & -> & Hs). exists (s :: squares). split; [reflexivity|].
    cbn [all_empty forallb]. now rewrite E.
Qed.

Lemma met_is_seen occupied t ray : forall squares,
  met t ray = Some squares -> all_empty occupied squares = true -> In t (seen occupied ray).
Proof.
  induction ray as [|s rest IH]; cbn [seen met]; [easy|]. intros squares H.
  destruct (Z.eqb_spec s t) as [->|]; [now left|].
  destruct (met t rest) as [more|]; [|easy]. injection H as <-.
  cbn [all_empty forallb]. destruct (Z.testbit occupied s); [easy|]. intros Hs. right.
  now apply (IH more).
Qed.

(** On the way from s to t, on any ray, are the squares between them; and t is on some ray exactly if
    it is on a line with s. There are 2 x 64 x 64 cases, and Coq goes through them. *)
Definition agree (p : piece) (s t : Z) : bool :=
  let ways := map (met t) (rays p s) in
  Bool.eqb (on_a_lineb p s t) (existsb (fun w => match w with Some _ => true | None => false end) ways)
  && forallb (fun w => match w with
                       | Some squares =>
                           let inside := filter (betweenb s t) board in
                           forallb (fun u => existsb (Z.eqb u) inside) squares
                           && forallb (fun u => existsb (Z.eqb u) squares) inside
                       | None => true
                       end) ways.

Lemma all_agree : forallb (fun p => forallb (fun s => forallb (agree p s) board) board) [Rook; Bishop] = true.
Proof. vm_compute. reflexivity. Qed.

Lemma they_agree p s t : 0 <= s < 64 -> 0 <= t < 64 -> agree p s t = true.
Proof.
  intros Hs Ht. pose proof all_agree as H.
  rewrite forallb_forall in H. specialize (H p ltac:(destruct p; cbn; tauto)).
  rewrite forallb_forall in H. specialize (H s (proj2 (on_the_board s) Hs)).
  rewrite forallb_forall in H. exact (H t (proj2 (on_the_board t) Ht)).
Qed.

Lemma in_by_existsb u l : existsb (Z.eqb u) l = true <-> In u l.
Proof.
  rewrite existsb_exists. split.
  - intros (v & H & E). apply Z.eqb_eq in E. now subst.
  - intros H. exists u. split; [assumption|]. apply Z.eqb_refl.
Qed.

Lemma emptiness p s t ray squares occupied :
  0 <= s < 64 -> 0 <= t < 64 -> In ray (rays p s) -> met t ray = Some squares ->
  all_empty occupied squares = true <->
  forall u, 0 <= u < 64 -> between s t u -> Z.testbit occupied u = false.
Proof.
  intros Hs Ht Hray Hmet. pose proof (they_agree p s t Hs Ht) as H. unfold agree in H. cbv zeta in H.
  apply andb_true_iff in H as [_ H]. rewrite forallb_forall in H.
  specialize (H (Some squares)). rewrite <- Hmet in H at 1. specialize (H (in_map _ _ _ Hray)).
  cbv beta iota zeta in H. apply andb_true_iff in H as [H1 H2]. rewrite forallb_forall in H1, H2.
  unfold all_empty. rewrite forallb_forall. split.
  - intros H u Hu Hb. apply negb_true_iff, H, in_by_existsb, H2, filter_In.
    split; [now apply on_the_board|now apply between_is].
  - intros H u Hu. apply negb_true_iff. specialize (H1 u Hu). apply in_by_existsb, filter_In in H1.
    destruct H1 as [Hin Hb]. apply H; [now apply on_the_board|now apply between_is].
Qed.

Theorem attack_sets_are_what_is_attacked p s occupied t :
  0 <= s < 64 -> 0 <= t < 64 ->
  Z.testbit (attack_set p s occupied) t = true <-> attacked p s occupied t.
Proof.
  intros Hs Ht. unfold attack_set, attacked. rewrite bits_of_a_bitboard, in_flat_map.
  2: { intros u Hu. apply in_flat_map in Hu as (ray & Hr & Hu).
       assert (Hin : forall r, In u (seen occupied r) -> In u r).
       { clear. induction r as [|v r IH]; cbn [seen]; [easy|]. intros [->|H]; [now left|].
         right. destruct (Z.testbit occupied v); [easy|auto]. }
       apply Hin in Hu. apply in_map_iff in Hr as (d & <- & _). apply way_on_board in Hu. lia. }
  pose proof (they_agree p s t Hs Ht) as H. unfold agree in H. cbv zeta in H.
  apply andb_true_iff in H as [H _]. apply eqb_prop in H. split.
  - intros (ray & Hr & Hin). apply seen_is_met in Hin as (squares & Hm & He). split.
    + apply on_a_line_is. rewrite H. apply existsb_exists. exists (Some squares).
      split; [|reflexivity]. rewrite <- Hm. now apply in_map.
    + now apply (emptiness p s t ray squares).
  - intros [Hline Hempty]. apply on_a_line_is in Hline. rewrite Hline in H. symmetry in H.
    apply existsb_exists in H as ([squares|] & Hin & Hsome); [|easy].
    apply in_map_iff in Hin as (ray & Hm & Hr). exists ray. split; [assumption|].
    apply met_is_seen with squares; [assumption|]. now apply (emptiness p s t ray squares).
Qed.
