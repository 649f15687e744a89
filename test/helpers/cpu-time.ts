/** Milliseconds of processor time that this process spends on something; what other processes take does not count. */
export async function cpuTime(act: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
