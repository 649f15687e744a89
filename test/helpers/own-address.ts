/** An address of this machine alone that no other process of tests listens at, so that well-known ports are free there. */
export const ownAddress = `127.${(process.pid >> 16) & 255}.${(process.pid >> 8) & 255}.${process.pid & 255}`;
