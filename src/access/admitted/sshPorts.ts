// The second port of SSH. A machine with SSH enabled answers connections to port 22 on port 22022,
// and its log may show either port.
const SSH = 22;
const ANSWERED = 22022;
const TCP = 6;

/** The ports to which a flow to a machine may have been sent. */
export const meantPorts = (protocol: number, port: number | null): readonly (number | null)[] =>
  protocol === TCP && port === ANSWERED ? [ANSWERED, SSH] : [port];
