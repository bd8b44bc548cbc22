/* Substitution by strips: up to four columns of a panel, whose rows and the numbers of y there are read once. Included once for each type of LANES, the numbers
 * of y of a row (ANY_LANES: where they stand in memory). NAMED(x): the names. */

typedef struct NAMED(strip) {
    int64_t height, column; /* of the panel; its first column in it */
    const int32_t *rows;    /* of the panel */
    const double *values;   /* of its first column */
    ANY_LANES *y, *own;     /* all of y; the rows of its columns */
} NAMED(strip);

INLINE NAMED(strip) NAMED(strip_at)(const sfgp_supernodes *nodes, const double *values, int64_t node,
                                    int64_t column, double *y)
{
    const int64_t height = sfgp_supernode_height(nodes, node);
    return (NAMED(strip)){height,
                          column,
                          sfgp_supernode_rows(nodes, node),
                          values + nodes->value[node] + column * height,
                          (ANY_LANES *)y,
                          (ANY_LANES *)y + nodes->first[node] + column};
}

INLINE void NAMED(forward_strip)(const int width, const NAMED(strip) * s)
{
    LANES own[WIDTH];
    for (int a = 0; a < width; a++) {
        own[a] = s->own[a];
        for (int b = 0; b < a; b++)
            own[a] -= s->values[b * s->height + s->column + a] * own[b];
        s->own[a] = own[a];
    }
    for (int64_t i = s->column + width; i < s->height; i++) {
        LANES left = s->y[s->rows[i]];
        for (int a = 0; a < width; a++)
            left -= s->values[a * s->height + i] * own[a];
        s->y[s->rows[i]] = left;
    }
}

INLINE void NAMED(backward_strip)(const int width, const bool divide, const NAMED(strip) * s)
{
    LANES sum[WIDTH] = {0};
    for (int64_t i = s->column + width; i < s->height; i++) {
        const LANES at = s->y[s->rows[i]];
        for (int a = 0; a < width; a++)
            sum[a] += s->values[a * s->height + i] * at;
    }
    for (int a = width - 1; a >= 0; a--) {
        const double *own = s->values + a * s->height + s->column;
        LANES left = s->own[a] / (divide ? own[a] : 1.0);
        for (int b = a + 1; b < width; b++)
            left -= own[b] * s->own[b];
        s->own[a] = left - sum[a];
    }
}

SFGP_SIMD static void NAMED(forward)(const sfgp_supernodes *nodes, const double *values, double *y)
{
    for (int32_t node = 0; node < nodes->nodes; node++)
        for (int64_t column = 0, width = sfgp_supernode_width(nodes, node); column < width; column += WIDTH) {
            const NAMED(strip) s = NAMED(strip_at)(nodes, values, node, column, y);
            switch (width - column) {
            case 1:
                NAMED(forward_strip)(1, &s);
                break;
            case 2:
                NAMED(forward_strip)(2, &s);
                break;
            case 3:
                NAMED(forward_strip)(3, &s);
                break;
            default:
                NAMED(forward_strip)(WIDTH, &s);
            }
        }
}

SFGP_SIMD static void NAMED(backward)(const sfgp_supernodes *nodes, const double *values, bool divide,
                                      double *y)
{
    for (int32_t node = nodes->nodes - 1; node >= 0; node--) {
        const int64_t width = sfgp_supernode_width(nodes, node);
        for (int64_t column = (width - 1) / WIDTH * WIDTH; column >= 0; column -= WIDTH) {
            const NAMED(strip) s = NAMED(strip_at)(nodes, values, node, column, y);
            switch (width - column) {
            case 1:
                NAMED(backward_strip)(1, divide, &s);
                break;
            case 2:
                NAMED(backward_strip)(2, divide, &s);
                break;
            case 3:
                NAMED(backward_strip)(3, divide, &s);
                break;
            default:
                NAMED(backward_strip)(WIDTH, divide, &s);
            }
        }
    }
}
