(** * A node of the count of slots

    proofs/rounding-lemma.md, "Counting slots": L14 to L22 together, as count.c uses them. A node says where the
    step lies, and some moves; the others are not known. From its gaps, spans and tables by cells comes a number of
    slots that all take at least. If there are fewer, no m of the node is a magic, and no -m. *)

From Coq Require Import ZArith Lia Bool List.
From Magicert Require Import Words Cells Counting Translates Slots Overlaps Nodes LineSlots SlotTables SlotLeaves.
Import ListNotations.
Open Scope Z_scope.

(** L20, its end: if f_0 is never more, f_n is 4^n times as much at most. *)
Theorem overlap_of_each phi most :
  (forall y, phi y <= most) -> forall moves y, overlap phi moves y <= most * 4 ^ Z.of_nat (length moves).
Proof.
  intros H. induction moves as [|v moves IH]; intros y; cbn [length].
  - rewrite overlap_of_none, Z.mul_1_r. auto.
  - rewrite Nat2Z.inj_succ, Z.pow_succ_r, L20 by lia.
    pose proof (IH y). pose proof (IH (y + v)). pose proof (IH (y - v)). lia.
Qed.

Lemma comes_again (f : Z -> Z) cells :
  0 < cells -> (forall c, f (c + cells) = f c) -> forall c, f (c mod cells) = f c.
Proof.
  intros Hc H. assert (Hn : forall n c, f (c + Z.of_nat n * cells) = f c).
  { induction n as [|n IH]; intros c; [f_equal; lia|].
    replace (c + Z.of_nat (S n) * cells) with (c + Z.of_nat n * cells + cells) by lia. now rewrite H. }
  intros c. pose proof (Z.div_mod c cells ltac:(lia)). destruct (Z.le_gt_cases 0 (c / cells)).
  - rewrite <- (Hn (Z.to_nat (c / cells)) (c mod cells)). f_equal. rewrite Z2Nat.id; lia.
  - rewrite <- (Hn (Z.to_nat (- (c / cells))) c). f_equal. rewrite Z2Nat.id; lia.
Qed.

Section A_node.

Variable bits : Z.
Hypothesis some_bits : 1 <= bits <= 64.
Let few : 0 <= bits <= 64. Proof. lia. Qed.
Let B := bucket bits.

Variables (line : list Z) (kind : Z -> Z).
Hypothesis once : NoDup line.
Hypothesis patterns_nonnegative : forall r, In r line -> 0 <= r.
Variable differences : list Z.
Hypothesis all_differences : forall r r', In r line -> In r' line -> In (r' - r) differences.

Variables begin w : Z.
Variable order : Z -> list Z.
Hypothesis order_is_full : forall d r, In r (order d) <-> In r (members line d).
Variable left_out : Z -> Z -> Z -> bool.
Hypothesis left_out_if : forall d i j,
  left_out d i j = true -> may_be_left_out bits line kind begin w order d i j = true.

(** ** Cells of moves *)

Variables cells grain : Z.
Hypothesis cells_positive : 0 < cells.
Hypothesis grain_positive : 0 < grain.
Hypothesis small : forall d, In d differences -> grain + Z.abs d * w + B <= 2 ^ 63.

Let may_at (c : Z) : bool := cell_may bits differences begin w order (c * grain) grain.
Let shares_at (c : Z) : Z := cell_shares bits line kind differences begin w order left_out (c * grain) grain.

(** What stands in the first table: of a cell it may say too much. (count.c takes what it finds for a cell or for
    its mirror image.) *)
Variables (alive : Z -> bool) (most : Z -> Z).
Hypothesis first_is_right : forall c, may_at c = true -> alive c = true /\ shares_at c <= most c.
Hypothesis most_is_a_number : forall c, 0 <= most c <= Z.of_nat (length line).
Hypothesis first_again : forall c, alive (c + cells) = alive c /\ most (c + cells) = most c.

Definition first (c : Z) : Z := if alive c then code (most c) else 0.
Definition table (known : list Z) : Z -> Z := table_of grain join first known.

(** ** What a node counts *)

(** How much a known square is laid on those before. *)
Definition own_overlap (rest : list Z) (v : Z) : Z :=
  total (set_differences rest) (fun e => 2 ^ snd e * most ((v + fst e) / grain)).
Fixpoint own_gains (known : list Z) : list Z :=
  match known with [] => [] | v :: rest => own_overlap rest v :: own_gains rest end.

(** How much any move lays the known squares on themselves. *)
Definition overlap_by (top : Z) (known : list Z) : Z :=
  if top <? most_code then 2 * (top - 1) else Z.of_nat (length line) * 4 ^ Z.of_nat (length known).

(** L19: the line takes so many slots, by one of its counts. *)
Definition line_takes (L : Z) : Prop :=
  L <= by_pairs bits line kind differences begin w
  \/ L <= Z.of_nat (length (firsts bits kind begin w [] line))
  \/ (exists x0 r0 rest, incl (map snd ((x0, r0) :: rest)) line /\
       (forall point, In point ((x0, r0) :: rest) -> exists i, fst point = snd point * begin + i * 2 ^ 64) /\
       a_slot_apart bits w x0 r0 rest /\ L <= Z.of_nat (length ((x0, r0) :: rest)))
  \/ (exists parts part, 0 < part /\ B = Z.of_nat parts * part /\ L <= by_parts bits line begin w parts part).

Definition node_takes (L : Z) (unknown : nat) (top : Z) (known : list Z) : Z :=
  all_take L (by_squares L) (unknown_gains unknown (overlap_by top known) (own_gains known)).

(** ** That it is right *)

(** A move in between has a cell, one at an end has two. *)
Let may (y : Z) : bool := alive (y / grain) && (negb (y mod grain =? 0) || alive (y / grain - 1)).
Let phi (y : Z) : Z :=
  if y mod grain =? 0 then Z.min (most (y / grain)) (most (y / grain - 1)) else most (y / grain).

Lemma its_cells c y :
  in_cell grain 1 c y <-> c = y / grain \/ (y mod grain = 0 /\ c = y / grain - 1).
Proof.
  unfold in_cell. pose proof (Z.div_mod y grain ltac:(lia)). pose proof (Z.mod_pos_bound y grain grain_positive).
  split; [|intros [->|[E ->]]; lia]. intros H1.
  assert (c <= y / grain) by (apply Z.div_le_lower_bound; lia).
  assert (y / grain - 1 <= c) by nia.
  assert (c = y / grain \/ c = y / grain - 1) as [->| ->] by lia; [auto|right; lia].
Qed.

Lemma first_covers c y : in_cell grain 1 c y -> may y = true -> code_covers (first c) (phi y).
Proof.
  intros Hc Hm. assert (Hcase : alive c = true /\ phi y <= most c).
  { unfold may in Hm. apply andb_true_iff in Hm as [H1 H2]. unfold phi.
    apply its_cells in Hc as [->|[E ->]]; [split; [assumption|destruct (_ =? 0); lia]|].
    rewrite E in *. cbn [Z.eqb negb orb] in *. split; [assumption|lia]. }
  destruct Hcase as [Ha Hp]. unfold first. rewrite Ha.
  pose proof (a_code_covers (most c) ltac:(apply most_is_a_number)) as [H1 H2]. split; [assumption|lia].
Qed.

Section A_step.

Variable a : Z.
Hypothesis step : begin <= a <= begin + w.

Lemma cells_are_right c y :
  in_cell grain 1 c y -> feasible bits line a y ->
  alive c = true /\ forall t, compatible bits line kind a t y -> common_slots bits line a t y <= most c.
Proof.
  unfold in_cell. intros Hc Hf. assert (Hy : c * grain <= y <= c * grain + grain) by lia.
  pose proof (L17_of_a_cell bits some_bits line differences begin w order order_is_full a step (c * grain) grain small
    y Hy Hf) as Hmay.
  destruct (first_is_right c Hmay) as [H1 H2]. split; [assumption|]. intros t Ht. etransitivity; [|exact H2].
  now apply (L18_of_a_cell bits some_bits line kind once differences all_differences begin w order order_is_full
    left_out left_out_if a step (c * grain) grain small t y).
Qed.

Lemma feasible_is_asked y : feasible bits line a y -> may y = true.
Proof.
  intros Hf. unfold may. apply andb_true_iff. split; [apply (cells_are_right (y / grain) y); [|assumption]|].
  - apply its_cells. now left.
  - destruct (Z.eqb_spec (y mod grain) 0) as [E|E]; [cbn [negb orb]|easy].
    apply (cells_are_right (y / grain - 1) y); [|assumption]. apply its_cells. now right.
Qed.

Lemma phi_is_right t y :
  compatible bits line kind a t y -> feasible bits line a y -> common_slots bits line a t y <= phi y.
Proof.
  intros Hc Hf. unfold phi.
  destruct (cells_are_right (y / grain) y ltac:(apply its_cells; now left) Hf) as [_ H1].
  destruct (Z.eqb_spec (y mod grain) 0) as [E|E]; [|auto]. apply Z.min_glb; [auto|].
  destruct (cells_are_right (y / grain - 1) y ltac:(apply its_cells; now right) Hf) as [_ H2]. auto.
Qed.

Lemma line_takes_so_many L t x :
  line_takes L -> compatible bits line kind a (t - x) 0 ->
  L <= size Z Z (all_slots bits) (takes bits line a t) x.
Proof.
  intros HL Hc. assert (Hsmall : forall d, In d differences -> Z.abs d * w + B <= 2 ^ 63).
  { intros d Hd. specialize (small d Hd). lia. }
  destruct HL as [HL|[HL|[(x0 & r0 & rest & H1 & H2 & H3 & HL)|(parts & part & H1 & H2 & HL)]]];
    (etransitivity; [exact HL|]).
  - now apply (L19a bits some_bits line kind once differences all_differences begin w a step).
  - now apply (L19_firsts bits some_bits line kind differences all_differences begin w a step).
  - now apply (L19b bits some_bits line kind begin w a step).
  - now apply (L19c bits some_bits line patterns_nonnegative begin w a step).
Qed.

Lemma own_gains_are_bounds known : bounds phi (own_gains known) known.
Proof.
  induction known as [|v rest IH]; cbn [own_gains bounds]; [exact I|]. split; [|assumption].
  rewrite <- (app_nil_r rest) at 1. rewrite L20_by_differences. apply total_le. intros e He.
  rewrite overlap_of_none. apply lacks_no_square_less in He. apply Z.mul_le_mono_nonneg_l.
  - apply Z.pow_nonneg. lia.
  - unfold phi. destruct (_ =? 0); lia.
Qed.

Lemma tables_again known : forall c, table known (c + cells) = table known c.
Proof.
  unfold table. induction known as [|v known IH]; intros c; cbn [table_of].
  - unfold first. destruct (first_again c) as [-> ->]. easy.
  - now apply tables_come_again.
Qed.

Lemma overlaps_are_bounded known top :
  (forall c, 0 <= c < cells -> table known c <= top) ->
  forall y, admissible may known y -> overlap phi known y <= overlap_by top known.
Proof.
  intros Htop y Hy.
  assert (Hone : 0 <= 1 <= 1) by lia.
  assert (Hc : code_covers top (overlap phi known y)).
  { apply (largest_entry_covers grain 1 grain_positive Hone join code_covers codes_join larger_codes phi may first first_covers
      cells known); auto. intros c. apply (comes_again (table known)); [assumption|apply tables_again]. }
  destruct Hc as [H1 H2]. unfold overlap_by. destruct (Z.ltb_spec top most_code); [lia|].
  apply overlap_of_each. intros z. unfold phi.
  pose proof (most_is_a_number (z / grain)). destruct (_ =? 0); lia.
Qed.

(** Whatever works has room. *)
Theorem counted_nodes_have_room t unknown known top L :
  works bits line kind a t (unknown ++ known) ->
  0 <= L -> line_takes L -> (forall c, 0 <= c < cells -> table known c <= top) ->
  node_takes L (length unknown) top known <= 2 ^ bits.
Proof.
  intros Hw H0 HL Htop. unfold node_takes.
  apply nodes_have_room with (line := line) (kind := kind) (a := a) (t := t) (moves := unknown ++ known)
    (phi := phi) (may := may) (known := known); auto; try lia.
  - exact phi_is_right.
  - exact feasible_is_asked.
  - intros u x. now apply line_takes_so_many.
  - intros l n shares. now apply by_squares_is_taken.
  - apply own_gains_are_bounds.
  - now apply overlaps_are_bounded.
Qed.

End A_step.

End A_node.

(** So of a rook: where a node takes more slots than there are, it holds no magic, and none of its -m is one. *)
Theorem counted_node_is_dead q bits m begin w order left_out cells grain alive most unknown known top L :
  0 <= q < 8 -> 1 <= bits <= 64 ->
  let line := patterns q in let differences := list_differences q in
  begin <= (2 ^ lowest q * m) mod 2 ^ 64 <= begin + w ->
  Forall2 (agree_mod m) (unknown ++ known) (map (fun s => 2 ^ s) (file_squares q)) ->
  (forall d r, In r (order d) <-> In r (members line d)) ->
  (forall d i j, left_out d i j = true -> may_be_left_out bits line (kind q) begin w order d i j = true) ->
  0 < cells -> 0 < grain ->
  (forall d, In d differences -> grain + Z.abs d * w + bucket bits <= 2 ^ 63) ->
  (forall c, cell_may bits differences begin w order (c * grain) grain = true -> alive c = true /\
     cell_shares bits line (kind q) differences begin w order left_out (c * grain) grain <= most c) ->
  (forall c, 0 <= most c <= Z.of_nat (length line)) ->
  (forall c, alive (c + cells) = alive c /\ most (c + cells) = most c) ->
  0 <= L -> line_takes bits line (kind q) differences begin w L ->
  (forall c, 0 <= c < cells -> table grain alive most known c <= top) ->
  2 ^ bits < node_takes line grain most L (length unknown) top known ->
  ~ magic (rook q bits) m /\ ~ magic (rook q bits) (- m).
Proof.
  intros Hq Hb line differences Hstep Hm Ho Hl Hc Hg Hsmall Hfirst Hmost Hagain H0 HL Htop Hmany.
  assert (Hno : forall t, works bits line (kind q) ((2 ^ lowest q * m) mod 2 ^ 64) t (unknown ++ known) -> False).
  { intros t Hw.
    pose proof (counted_nodes_have_room bits Hb line (kind q) (patterns_once q Hq) (patterns_at_least_0 q Hq)
      differences (differences_listed q Hq) begin w order Ho left_out Hl cells grain Hc Hg Hsmall alive most Hfirst
      Hmost Hagain _ Hstep t unknown known top L Hw H0 HL Htop). lia. }
  split; intros H; [apply (Hno 0); now apply magics_work|apply (Hno 1); now apply opposites_work].
Qed.
