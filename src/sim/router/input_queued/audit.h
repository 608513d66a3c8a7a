/* SPDX-License-Identifier: Apache-2.0 */
/* Conservation of credits. On every link and VC: credits upstream + credits on their way + flits on
 * their way + flits in the buffer = capacity of the buffer. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_AUDIT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_AUDIT_H

#include "sim/platform.h"

/* True if all credits of an instance are conserved, at a sync point; it must be whole in this
 * process. */
bool weft_iq_audit(const weft_instance *instance);

#endif
