$heading

%% for choices
$part
%% end
