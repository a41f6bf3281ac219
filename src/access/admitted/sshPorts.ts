// The second port of SSH: a machine whose SSH the server allows answers on 22022 what comes to 22, and its log has either.
const SSH = 22;
const ANSWERED = 22022;
const TCP = 6;

/** The ports that a flow to a machine may have been meant for. */
export const meantPorts = (protocol: number, port: number | null): readonly (number | null)[] =>
  protocol === TCP && port === ANSWERED ? [ANSWERED, SSH] : [port];
