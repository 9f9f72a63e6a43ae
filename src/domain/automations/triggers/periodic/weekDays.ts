// Days of a week as schedules name them, in the order of developer-api.md 7.5.
export const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const
