/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of imitations that a group of tests shares: two fixtures of cmocka. */
#ifndef WEFT_TEST_CONFIG_GROUP_H
#define WEFT_TEST_CONFIG_GROUP_H

#include "test_config_registry.h"

static weft_registry registry;

static int group_setup(void **state)
{
    (void)state;
    fake_registry(&registry);
    return 0;
}

static int group_teardown(void **state)
{
    (void)state;
    weft_registry_done(&registry);
    return 0;
}

#endif
