$heading

%% if uses BinaryPrimitives.
using System.Buffers.Binary;

%% end
%% if scope
namespace $scope {

%% end
public static class $stem {
%% for choices
$part
%% end
}
%% if scope

}
%% end
