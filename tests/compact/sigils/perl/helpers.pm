%% if uses _rotate_left(

sub _rotate_left {
    my ($$x, $$amount, $$width) = @_;
    $$amount %= $$width;
    my $$turned = $$amount ? $$x << $$amount | $$x >> ($$width - $$amount) : $$x;
    return $$width == 32 ? $$turned & 0xffffffff : $$turned;
}
%% end
%% if uses _swap_bytes(

sub _swap_bytes { return unpack('Q<', pack('Q>', $$_[0])); }
%% end
