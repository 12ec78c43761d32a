$heading

%% if scope
package $scope;

%% end
public final class $stem {
    private $stem() {}
%% for choices

$part
%% end
}
