// Durations as the options of activities write them.
const units: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 }

export const millisOf = (written: number | string): number => {
  if (typeof written === "number") return written
  const [count, unit] = written.split(" ")
  return Number(count) * units[unit!.replace(/s$/, "")]!
}
