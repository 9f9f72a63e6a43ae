// Loaded into the service by the launcher: when the launcher dies without stopping it, the service stops itself.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
