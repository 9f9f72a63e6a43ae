// Words that all pages use: durations, and a page that loads.

export const duration = {
  milliseconds: (round: number) => `${round} ms`,
  seconds: (millis: string) => `${millis} s`,
  minutesAndSeconds: (minutes: number, floor: number) => `${minutes} min ${floor} s`,
  hoursAndMinutes: (hours: number, minutes: number) => `${hours} h ${minutes} min`,
  daysAndHours: (floor: number, hours: number) => `${floor} days ${hours} h`
} as const

export const lazyPage = {
  pageDidNotLoad: "The page did not load."
} as const
