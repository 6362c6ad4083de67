#!/bin/sh
# Waits until udev has set up the GPIO chip of the Pi's header, 20 seconds at most. The chip's number depends on the kernel: 0, 4,
# or 11 and more on a Pi 5. It is known by what it is in the device tree; without one it is the first.
#
# COMPANION_ROOT: another root folder, for tests.
root=${COMPANION_ROOT:-}
for _ in $(seq 200); do
    found=$(grep -slzxE 'brcm,bcm2(711|835)-gpio|raspberrypi,rp1-gpio' \
        "$root"/sys/bus/gpio/devices/gpiochip*/of_node/compatible | head -n 1)
    chip=${found%/of_node/compatible}
    chip=/dev/${chip##*/}
    [ -n "$found" ] || chip=/dev/gpiochip0
    [ ! -e "$root$chip" ] || exec udevadm wait --timeout=20 "$root$chip"
    sleep 0.1
done
