# SPDX-License-Identifier: Apache-2.0
"""The doctor names a CUDA toolkit's stub that stands first in the search path."""
import os
import unittest

import command_fixture


class StubDriver(command_fixture.CommandTest):
    def test_stub_is_named_and_the_other_backends_work(self):
        folder = os.environ["HALYARD_TEST_STUB_DRIVER"]
        self.assertTrue(os.path.isfile(os.path.join(folder, "libcuda.so")))
        report = self.expect_json("halyard.doctor/1", "doctor", LD_LIBRARY_PATH=folder)
        backends = {entry["name"]: entry for entry in report["backends"]}
        self.assertEqual(0, backends["cuda"]["devices"])
        self.assertIn("is the toolkit's stub, not the driver", backends["cuda"]["reason"])
        self.assertIn("CUDA_ERROR_STUB_LIBRARY", backends["cuda"]["reason"])
        self.assertEqual(1, backends["cpu"]["devices"])
        text = self.expect(0, "doctor", LD_LIBRARY_PATH=folder).stdout
        self.assertIn("stub", text)


if __name__ == "__main__":
    unittest.main()
