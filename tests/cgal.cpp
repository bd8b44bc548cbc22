/* Distances from points to a surface by CGAL's AABB tree, for cgal.sh. Usage: cgal POINTS TRIANGLES: both text, a point or nine
 * coordinates a row; one distance a row. */
#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <vector>

using kernel = CGAL::Simple_cartesian<double>;
using iterator = std::vector<kernel::Triangle_3>::iterator;
using tree = CGAL::AABB_tree<CGAL::AABB_traits<kernel, CGAL::AABB_triangle_primitive<kernel, iterator>>>;

static bool read_point(std::ifstream &in, kernel::Point_3 &point)
{
    double x, y, z;
    if (!(in >> x >> y >> z))
        return false;
    point = kernel::Point_3(x, y, z);
    return true;
}

int main(int count, char **path)
{
    if (count != 3)
        return 2;
    std::ifstream points(path[1]), corners(path[2]);
    std::vector<kernel::Triangle_3> triangles;
    for (kernel::Point_3 a, b, c; read_point(corners, a) && read_point(corners, b) && read_point(corners, c);)
        triangles.emplace_back(a, b, c);
    if (triangles.empty())
        return 1;
    const tree faces(triangles.begin(), triangles.end());
    for (kernel::Point_3 p; read_point(points, p);)
        std::printf("%.17g\n", std::sqrt(faces.squared_distance(p)));
    return 0;
}
