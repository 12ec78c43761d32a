$heading
%% for lists

static $NAME: [$kind; $length] = [
$items
];
%% end

$body
