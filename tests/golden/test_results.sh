#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No result changes unnoticed.
exec "$WEFT_SOURCE/tools/golden"
