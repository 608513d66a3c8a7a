/* SPDX-License-Identifier: Apache-2.0 */
/* Is this built with a sanitizer? Programs take ten to twenty times as long then: fewer cases. */
#ifndef WEFT_TEST_SANITIZED_H
#define WEFT_TEST_SANITIZED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
