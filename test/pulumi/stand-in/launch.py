"""Runs a program as Pulumi's host of Python programs does: by the SDK's own runtime, inside of a stack."""

import asyncio
import os
import runpy
import sys

import pulumi

monitor, engine, dry_run, program = sys.argv[1:]
pulumi.runtime.configure(
    pulumi.runtime.Settings(
        project="shop", stack="dev", parallel=16, monitor=monitor, engine=engine, dry_run=dry_run == "true"
    )
)
sys.path.insert(0, os.getcwd())
loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
loop.run_until_complete(pulumi.runtime.run_in_stack(lambda: runpy.run_path(program, run_name="__main__") and None))
