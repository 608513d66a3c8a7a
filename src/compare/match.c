/* SPDX-License-Identifier: Apache-2.0 */
/* Points are matched by the settings that their keys name on any side. Their values come from the
 * settings as understood, so that 20% and 0.2 are the same, and a setting that varies here may be
 * fixed there. A setting with one value on each side does not tell points apart and is left out:
 * that is how two selections can be compared with each other. */
#include "compare/internal.h"
#include "compare/settings.h"
#include "config/vary.h"
#include "result/key.h"

#include <assert.h>
#include <string.h>

/* Settings that keys of all sides can name: of scenario, series and vary each. */
#define AXES_MAX ((size_t)(WEFT_SETTINGS_MAX + 2) * WEFT_COMPARE_SIDES)

typedef struct place {  /* of a point, by axis */
    const char **value; /* canonical */
    const char **shown; /* as its key says it */
} place;

typedef struct matching {
    weft_compare_book *book;
    size_t n_axes;
    const char **axes;
    place *places[WEFT_COMPARE_SIDES]; /* of every point */
} matching;

static size_t axis_of(const matching *m, const weft_key_part *part)
{
    size_t i = 0;
    while (i < m->n_axes && (strlen(m->axes[i]) != part->name_length ||
                             memcmp(m->axes[i], part->name, part->name_length) != 0))
        i++;
    return i;
}

static weft_status find_axes(matching *m, weft_error *err)
{
    m->axes = WEFT_TAKE(&m->book->arena, const char *, AXES_MAX);
    for (size_t s = 0; s < m->book->sheet.n_sides; s++)
        for (size_t i = 0; i < weft_result_points(m->book->sides[s]); i++) {
            weft_key_part part;
            const char *rest = weft_result_key(m->book->sides[s], i);
            while (weft_key_next(&rest, &part)) {
                if (axis_of(m, &part) < m->n_axes)
                    continue;
                if (m->n_axes == AXES_MAX)
                    return weft_fail(err, WEFT_BAD_INPUT,
                                     "%s is damaged: its points are told apart by more settings "
                                     "than a run can vary",
                                     weft_result_path(m->book->sides[s]));
                m->axes[m->n_axes++] =
                    weft_arena_copy(&m->book->arena, part.name, part.name_length);
            }
        }
    return WEFT_OK;
}

static void place_point(const matching *m, const char *settings, const char *key, place *at)
{
    weft_arena scratch, *arena = &m->book->arena;
    weft_key_part part;
    weft_arena_init(&scratch);
    at->value = WEFT_TAKE(arena, const char *, m->n_axes);
    at->shown = WEFT_TAKE(arena, const char *, m->n_axes);
    const weft_node *root = weft_compare_settings_read(settings, &scratch);
    for (size_t a = 0; a < m->n_axes; a++) {
        const char *value = weft_compare_settings_at(root, m->axes[a], &scratch);
        at->value[a] = at->shown[a] = weft_arena_copy(arena, value, strlen(value));
    }
    for (const char *rest = key; weft_key_next(&rest, &part);) {
        size_t a = axis_of(m, &part);
        assert(a < m->n_axes);
        at->shown[a] = weft_arena_copy(arena, part.value, part.value_length);
        at->value[a] = *at->value[a] ? at->value[a] : at->shown[a];
    }
    weft_arena_done(&scratch);
}

static weft_status place_points(matching *m, weft_error *err)
{
    for (size_t s = 0; s < m->book->sheet.n_sides; s++) {
        weft_result *result = m->book->sides[s];
        size_t count = weft_result_points(result);
        m->places[s] = WEFT_TAKE(&m->book->arena, place, count + 1);
        for (size_t i = 0; i < count; i++) {
            const weft_point *point;
            WEFT_TRY(weft_result_read(result, i, &point, err));
            place_point(m, point->settings, weft_result_key(result, i), &m->places[s][i]);
        }
    }
    return WEFT_OK;
}

static bool varies(const matching *m, size_t axis)
{
    for (size_t s = 0; s < m->book->sheet.n_sides; s++)
        for (size_t i = 1; i < weft_result_points(m->book->sides[s]); i++)
            if (strcmp(m->places[s][i].value[axis], m->places[s][0].value[axis]) != 0)
                return true;
    return false;
}

/* Only what tells points apart stays an axis. */
static void drop_axes(matching *m)
{
    size_t kept = 0;
    for (size_t a = 0; a < m->n_axes; a++) {
        if (!varies(m, a))
            continue;
        for (size_t s = 0; s < m->book->sheet.n_sides; s++)
            for (size_t i = 0; i < weft_result_points(m->book->sides[s]); i++) {
                m->places[s][i].value[kept] = m->places[s][i].value[a];
                m->places[s][i].shown[kept] = m->places[s][i].shown[a];
            }
        m->axes[kept++] = m->axes[a];
    }
    m->n_axes = kept;
}

static bool same_place(const matching *m, const place *a, const place *b)
{
    for (size_t i = 0; i < m->n_axes; i++)
        if (strcmp(a->value[i], b->value[i]) != 0)
            return false;
    return true;
}

/* Every place once, with the points that stand there. */
static void join(matching *m)
{
    weft_compare_sheet *sheet = &m->book->sheet;
    size_t most = 0;
    for (size_t s = 0; s < sheet->n_sides; s++)
        most += weft_result_points(m->book->sides[s]);
    weft_compare_point *points = WEFT_TAKE(&m->book->arena, weft_compare_point, most + 1);
    const place **taken = WEFT_TAKE(&m->book->arena, const place *, most + 1);
    for (size_t s = 0; s < sheet->n_sides; s++)
        for (size_t i = 0; i < weft_result_points(m->book->sides[s]); i++) {
            const place *at = &m->places[s][i];
            size_t p = 0;
            while (p < sheet->n_points && !same_place(m, taken[p], at))
                p++;
            if (p == sheet->n_points) {
                size_t *numbers = WEFT_TAKE(&m->book->arena, size_t, sheet->n_sides);
                for (size_t k = 0; k < sheet->n_sides; k++)
                    numbers[k] = WEFT_COMPARE_NONE;
                taken[sheet->n_points] = at;
                points[sheet->n_points++] = (weft_compare_point){at->shown, numbers};
            }
            if (points[p].at[s] == WEFT_COMPARE_NONE)
                ((size_t *)points[p].at)[s] = i;
        }
    sheet->points = points;
}

weft_status weft_compare_match(weft_compare_book *book, weft_error *err)
{
    matching *m = WEFT_TAKE(&book->arena, matching, 1);
    m->book = book;
    WEFT_TRY(find_axes(m, err));
    WEFT_TRY(place_points(m, err));
    drop_axes(m);
    join(m);
    book->sheet.n_axes = m->n_axes;
    book->sheet.axes = m->axes;
    return WEFT_OK;
}
