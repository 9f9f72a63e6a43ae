// Stops the service if the launcher dies without stopping it. The launcher loads this into the service.
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
process.channel?.unref()
