/* SPDX-License-Identifier: Apache-2.0 */
#ifndef INTERWEFT_VERSION_H
#define INTERWEFT_VERSION_H
#define WEFT_VERSION "0.1.0"
#endif
