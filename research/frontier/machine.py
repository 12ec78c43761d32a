"""What the figures were measured on."""

import os
import platform
import subprocess
from contextlib import suppress
from pathlib import Path

from research.frontier.figures import Machine
from research.frontier.ways import FOLDER

BMI2_FLAGS = ("-mbmi", "-mbmi2", "-mlzcnt", "-mpopcnt")
"""What a processor that has BMI2 is compiled for: every way may use it."""
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
NOT_SAID = "not said by the system"


def machine(compiler: str, folder: Path) -> tuple[Machine, frozenset[str]]:
    """The machine, and which of BMI2 and AVX2 it has. `folder` is for temporary files."""
    load = round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None
    program = folder / "machine"
    subprocess.run([compiler, "-O2", str(FOLDER / "machine.c"), "-o", str(program)], check=True)
    shown = subprocess.run([program], capture_output=True, check=True, text=True).stdout
    bmi2, avx2, name = shown.strip().split(" ", 2) if shown.count(" ") > 1 else (*shown.split(), "")
    has = frozenset(what for what, said in (("bmi2", bmi2), ("avx2", avx2)) if said == "1")
    flags = BMI2_FLAGS if "bmi2" in has else ()
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True, text=True)
    found = Machine(
        processor=" ".join(name.split()) or _apple("machdep.cpu.brand_string") or _other_name(),
        system=f"{platform.system()} {platform.machine()}",
        caches_kib=caches(),
        compiler=version.stdout.partition("\n")[0],
        flags=" ".join(("-O2", *flags)),
        processors=os.cpu_count() or 1,
        load=load,
    )
    return found, has


def caches(folder: Path = CACHES) -> dict[str, int]:
    """The sizes of the caches in KiB, those for data only; empty where the system does not say."""
    found = {}
    for place in sorted(folder.glob("index*")):
        with suppress(OSError, ValueError):
            kind = (place / "type").read_text().strip()
            size = (place / "size").read_text().strip()
            name = f"L{(place / 'level').read_text().strip()}{'d' * (kind == 'Data')}"
            if kind != "Instruction":
                found[name] = int(size.removesuffix("K"))
    for name, key in (("L1d", "hw.l1dcachesize"), ("L2", "hw.l2cachesize")):
        if not found.get(name) and (said := _apple(key)).isdigit():
            found[name] = int(said) // 1024
    return found


def _other_name() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.lower().startswith(("model name", "hardware")):
                return line.partition(":")[2].strip()
    return platform.processor() or NOT_SAID


def _apple(key: str) -> str:
    if platform.system() != "Darwin":
        return ""
    return subprocess.run(
        ["sysctl", "-n", key], capture_output=True, check=False, text=True
    ).stdout.strip()
