/* SPDX-License-Identifier: Apache-2.0 */
/* The links that a packet takes on average, by their classes. */
#ifndef WEFT_ANALYSIS_BOUNDS_MEAN_PATH_H
#define WEFT_ANALYSIS_BOUNDS_MEAN_PATH_H

#include "net/network.h"

/* The mean path of a traffic class in an empty network: link[a][b] is the mean number of times a
 * packet takes a link of class b after one of class a. Paths begin and end with WEFT_LINK_HOST. Not
 * known where links have more classes, or where hosts' links differ. */
#define WEFT_PATH_CLASSES 16
typedef struct weft_mean_path {
    bool known;
    bool exact; /* else: estimated from random destinations or routes */
    double link[WEFT_PATH_CLASSES][WEFT_PATH_CLASSES];
} weft_mean_path;

/* Turns the flits per tick of a path into the number of times that a packet takes a link. */
void weft_mean_path_average(const weft_network *network, weft_mean_path *path);

#endif
