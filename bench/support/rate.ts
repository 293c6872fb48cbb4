/** Runs `one` from so many clients until the time is up: how many per second, and what each cost the processor. */
export async function perSecond(
  world: { cpu(): Promise<number> },
  clients: number,
  ms: number,
  one: (client: number, turn: number) => Promise<void>,
): Promise<{ rate: number; cpuMs: number }> {
  let done = 0;
  const cpu = await world.cpu();
  const end = performance.now() + ms;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        await one(client, turn);
        done += 1;
      }
    }),
  );
  const rate = (done / (performance.now() - begin)) * 1000;
  return { rate, cpuMs: ((await world.cpu()) - cpu) / done };
}
