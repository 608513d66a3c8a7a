/* SPDX-License-Identifier: Apache-2.0 */
/* Are credits conserved? On every link and VC: what may be sent + what is on its way back + what
 * is on its way there + what lies in the buffer = the buffer. */
#ifndef WEFT_SIM_ROUTER_INPUT_QUEUED_AUDIT_H
#define WEFT_SIM_ROUTER_INPUT_QUEUED_AUDIT_H

#include "sim/platform.h"

/* Of an instance that is whole in this process, at a sync point. */
bool weft_iq_audit(const weft_instance *instance);

#endif
