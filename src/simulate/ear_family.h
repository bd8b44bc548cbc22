/* The family of ears: a table of anatomical parameters, and how a seed draws them. */
#ifndef SFGP_SIMULATE_EAR_FAMILY_H
#define SFGP_SIMULATE_EAR_FAMILY_H

#include <stdint.h>

/* X(name, mean, standard deviation, meaning). Numbers without a unit in the meaning are factors. */
#define SFGP_EAR_PARAMETERS(X)                                                                               \
    X(height, 1.0, 0.05, "size from lobule to top")                                                          \
    X(width, 1.0, 0.06, "size from face to back")                                                            \
    X(helix_height, 1.0, 0.16, "height of the rim")                                                          \
    X(helix_width, 1.0, 0.07, "thickness of the rim")                                                        \
    X(helix_roll, 1.0, 0.25, "how far the rim hangs over the scapha")                                        \
    X(antihelix_height, 1.0, 0.18, "height of the antihelix and its two crura")                              \
    X(concha_depth, 1.0, 0.12, "depth of the bowl")                                                          \
    X(tragus_height, 1.0, 0.15, "height of tragus and antitragus")                                           \
    X(lobule_length, 0.0, 1.6, "mm by which the lobule is longer")                                           \
    X(lobule_attachment, 0.0, 1.3, "mm by which the lobule leans to the face")                               \
    X(protrusion, 20.0, 6.0, "degrees between the ear and the head")                                         \
    X(slant, 6.0, 3.0, "degrees by which the long axis leans back")                                          \
    X(taper, 0.0, 0.06, "share by which the top is wider and the bottom narrower")                           \
    X(cup, 0.0, 1.5, "mm by which the outline stands out against the middle")

/* Low waves: smooth displacements of all three coordinates, standard deviation SFGP_EAR_WAVE_MM each. */
#define SFGP_EAR_WAVES 6
#define SFGP_EAR_WAVE_MM 0.8

typedef struct sfgp_ear_wave {
    double direction[2]; /* radians per mm */
    double phase;
    double amplitude[3]; /* mm */
} sfgp_ear_wave;

typedef struct sfgp_ear_family {
#define SFGP_EAR_FIELD(name, mean, deviation, meaning) double name;
    SFGP_EAR_PARAMETERS(SFGP_EAR_FIELD)
#undef SFGP_EAR_FIELD
    sfgp_ear_wave waves[SFGP_EAR_WAVES];
} sfgp_ear_family;

/* Seed 0 is the mean; any other draws normals, cut at two standard deviations. */
sfgp_ear_family sfgp_ear_draw(uint64_t seed);

#endif
