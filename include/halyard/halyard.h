/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_HALYARD_H_
#define HALYARD_HALYARD_H_

#include "halyard/buffer.h"
#include "halyard/capability.h"
#include "halyard/constant.h"
#include "halyard/contract.h"
#include "halyard/device.h"
#include "halyard/export.h"
#include "halyard/instance.h"
#include "halyard/kernel_store.h"
#include "halyard/operation.h"
#include "halyard/queue.h"
#include "halyard/semaphore.h"
#include "halyard/sequence.h"
#include "halyard/status.h"
#include "halyard/type.h"
#include "halyard/version.h"

#endif
