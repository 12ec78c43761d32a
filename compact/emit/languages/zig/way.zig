$heading
%% for lists

const $name = [$length]$kind{
$items
};
%% end

$body
