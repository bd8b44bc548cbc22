/* Files that people try and that we do not read: a message that says what the file is and what to do. */
#include "io/format.h"
#include "io/file.h"

#include <string.h>

#define UNPACK "unpack it first"
#define CONVERT "save it as PLY, OBJ, STL, NPY or text"
#define MODEL "; sfgp model info shows a shape model or a saved fit, sfgp model mean makes a mesh of it"
#define AMIRA "save landmarks as CSV (name,x,y,z), a surface as PLY, OBJ or STL"
#define RECODE "save it as UTF-8"
#define SEGMENT "segment it, as in 3D Slicer, and save the surface as PLY, OBJ or STL"
#define MORPHOLOGIKA "a file of Morphologika", "save the landmarks of a shape as CSV (name,x,y,z)"
#define TABLE_OF_R "save its points as text, write.csv(X, 'points.csv')"
#define WEB "a web page and not the file that was to be downloaded", "download it again"
#define MESH "a mesh is expected here; " SFGP_LANDMARKS_ADVICE
#define CLOUDCOMPARE "a CloudCompare file", "save it as PLY, OBJ or text (File, Save)"
#define CLOUD "save it as PLY or text with CloudCompare, or as text with pdal translate"

static const struct foreign {
    const char *magic;
    int length;
    const char *what, *advice;
} FOREIGN[] = {
    {"\x1f\x8b", 2, "a gzip archive", UNPACK},
    {"PK\x03\x04", 4, "a zip archive (zip, npz, 3mf, xlsx, usdz)",
     UNPACK "; if it is usdz or 3mf, " CONVERT "; if it is xlsx, save it as CSV"},
    {"\xd0\xcf\x11\xe0", 4, "a file of Excel (xls)", "save it as CSV"},
    {"Rar!", 4, "a rar archive", UNPACK},
    {"7z\xbc\xaf", 4, "a 7z archive", UNPACK},
    {"PXR-USDC", 8, "a USD file", CONVERT},
    {"#usda", 5, "a USD file", CONVERT},
    {"DRACO", 5, "a Draco file", CONVERT},
    {"ISO-10303", 9, "a STEP file", "mesh it and " CONVERT},
    {"NRRD", 4, "an NRRD volume", SEGMENT},
    {"\x5c\x01\0\0", 4, "a NIfTI volume", SEGMENT}, /* the size of its header, 348 */
    {"\0\0\x01\x5c", 4, "a NIfTI volume", SEGMENT},
    {"ObjectType = Image", 18, "a MetaImage volume", SEGMENT},
    {"\xff\xff\xfe", 3, "a surface of FreeSurfer", "mris_convert makes a .vtk or an .stl of it"},
    {"$MeshFormat", 11, "a file of Gmsh", CONVERT},
    {"MeshVersionFormatted", 20, "a file of Medit", CONVERT},
    {"[individuals]", 13, MORPHOLOGIKA},
    {"[Individuals]", 13, MORPHOLOGIKA},
    {"X\n\0\0", 4, "a file of R (saveRDS)", TABLE_OF_R}, /* unpacked */
    {"RDX", 3, "a file of R (save)", TABLE_OF_R},
    {"BZh", 3, "a bzip2 archive", UNPACK},
    {"\xfd"
     "7zXZ",
     5, "an xz archive", UNPACK},
    {"\x28\xb5\x2f\xfd", 4, "a zstd archive", UNPACK},
    {"\xff\xfe", 2, "UTF-16 text", RECODE},
    {"\xfe\xff", 2, "UTF-16 text", RECODE},
    {"\x89HDF\r\n\x1a\n", 8, "an HDF5 file", CONVERT MODEL},
    {"sfgp HDF5", 9, "an HDF5 file", CONVERT MODEL}, /* hdf5_digest.c */
    {"\x89PNG", 4, "a PNG picture", "give a mesh"},
    {"<!DOCTYPE html", 14, WEB},
    {"<!doctype html", 14, WEB},
    {"<html", 5, WEB},
    {"version https://git-lfs", 23, "a pointer of Git LFS to a file that is not there",
     "git lfs pull brings it"},
    {"version: 1", 10, "a .pts of landmarks in a picture (menpo, ibug)", "save them as text, one x y a row"},
    {"<!DOCTYPE PickedPoints", 22, "a file of landmarks (MeshLab)", MESH},
    {"<PickedPoints", 13, "a file of landmarks (MeshLab)", MESH},
    {"<", 1, "an XML file (X3D, COLLADA, GIFTI?)", CONVERT},
    {"# .PCD", 6, "a PCD file", "save it as PLY with pcl_pcd2ply, CloudCompare or Open3D"},
    {"# Avizo", 7, "a file of Avizo", AMIRA},
    {"# AmiraMesh", 11, "a file of Amira", AMIRA},
    {"# HyperSurface", 14, "a surface of Amira", AMIRA},
    {"LASF", 4, "a LAS or LAZ file", CLOUD},
    {"ASTM-E57", 8, "an E57 file", CLOUD},
    {"MATLAB 5.0", 10, "a MATLAB file", "save its points as text, writematrix(X, 'points.csv')"},
    {"BLENDER", 7, "a Blender file", "export PLY, OBJ or STL"},
    {"#VRML", 5, "a VRML file", CONVERT},
    {"\xff\xd8\xff", 3, "a JPEG picture", "give a mesh"},
    {"CCB0", 4, CLOUDCOMPARE}, /* the digit tells how many bits its numbers have */
    {"CCB1", 4, CLOUDCOMPARE},
    {"CCB2", 4, CLOUDCOMPARE},
    {"CCB3", 4, CLOUDCOMPARE},
    {"Kaydara", 7, "an FBX file", CONVERT},
};

/* Those that begin with nothing of their own, or could be a table of points, where a mesh is read. */
static const struct {
    const char *extension, *what, *advice;
} NAMED[] = {
    {"dcm", "a DICOM file", SEGMENT},
    {"fcsv", "a file of landmarks (Slicer)", MESH},
    {"tps", "a file of landmarks (TPS)", MESH},
    {"nts", "a file of landmarks (NTSYS)", MESH},
    {"dta", "a file of landmarks (NTSYS)", MESH},
};

static sfgp_status refuse_named(const sfgp_source *source)
{
    for (size_t k = 0; k < sizeof NAMED / sizeof *NAMED; k++)
        if (sfgp_path_has_extension(source->path, NAMED[k].extension))
            return sfgp_fail(source->context, SFGP_ERROR_FORMAT, "%s: byte 0: this is %s; %s",
                             sfgp_path_shown(source->path), NAMED[k].what, NAMED[k].advice);
    return SFGP_OK;
}

sfgp_status sfgp_format_refuse_foreign(sfgp_source *source)
{
    sfgp_head head = {NULL, 0, 0};
    const char *path = sfgp_path_shown(source->path);
    sfgp_status status = sfgp_head_read(source, &head);
    if (status != SFGP_OK)
        return status;
    if (head.length == 0)
        return sfgp_fail(source->context, SFGP_ERROR_FORMAT, "%s: byte 0: the file is empty", path);
    for (size_t k = 0; k < sizeof FOREIGN / sizeof *FOREIGN; k++)
        if (sfgp_head_starts(&head, FOREIGN[k].magic, FOREIGN[k].length))
            return sfgp_fail(source->context, SFGP_ERROR_FORMAT, "%s: byte 0: this is %s; %s", path,
                             FOREIGN[k].what, FOREIGN[k].advice);
    return refuse_named(source);
}
