// Texts of the console: ui, uiWords.

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
