/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_EXPORT_H_
#define HALYARD_EXPORT_H_

#if defined(__GNUC__)
#define HALYARD_API __attribute__((visibility("default")))
#else
#define HALYARD_API
#endif

#ifdef __cplusplus
#define HALYARD_BEGIN_DECLS extern "C" {
#define HALYARD_END_DECLS }
#else
#define HALYARD_BEGIN_DECLS
#define HALYARD_END_DECLS
#endif

#endif
